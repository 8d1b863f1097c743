"""Documents ⇄ nouns. Pure: text in, nouns out, and back, every byte that is not ours kept.

sections.py     the grammar that all our documents share         days.py         a day's file: its entries, its closure
codecs.py       a section's body ⇄ fields of a checkpoint        topic_pages.py  the file of a topic
markdown.py     the formats of docs/format.md                    bindings.py     which session is bound to which topic
by_hand.py      a snapshot block as others write it              statements.py   what a day says of decisions and open points
"""
