"""Find it again: a question → the passages that answer it.

answering.py  ask, rank, fold                               questions.py  a question taken apart
index.py      files → passages → SQLite; derived            vectors.py    a second opinion, where it is installed
corpus.py     what a file is, and its rows in the index     passages.py   text → passages
wording.py    words, for the index and for those who ask
"""
