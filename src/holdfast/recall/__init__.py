"""Find it again: a question → the passages that answer it.

answering.py  ask and rank                                  questions.py  a question taken apart
hits.py       what is shown of what was found               vectors.py    a second opinion, where it is installed
index.py      files → passages → SQLite; derived            asking.py     what an index can be asked
corpus.py     what a file is, and its rows in the index     passages.py   text → passages
wording.py    words, for the index and for those who ask
"""
