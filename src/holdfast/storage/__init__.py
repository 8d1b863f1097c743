"""What stands on the disk, from bytes to documents. Nothing else in Holdfast writes a file.

disk.py       durable bytes, locks, folders that no name leads out of     processes.py  a process of our own beside the one asked
journal.py    records, one new file each, never rewritten                 packing.py    a closed day of it in one file
writing.py    the write path: one record, kept                            exchange.py   how a document takes on a record
store.py      the documents; a person's edits are law                     merging.py    two hands in one file
topics.py     topics and what is bound to them                            cache.py      values for one session
links.py      where `memory/` really is                                   tree.py       the files that are searched
gate.py       who writes by which knowledge of what is forgotten
ignoring.py   what git takes of `.holdfast/`                             leases.py     who else is at a file
days.py       where a day stands, and what it says
"""
