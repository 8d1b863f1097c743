"""Documents ⇄ nouns. Pure: text in, nouns out, and back, every byte that is not ours kept.

sections.py     the grammar that all our documents share         days.py      a day's file: its entries, its closure
markdown.py     the formats of docs/format.md                    bindings.py  which session is bound to which topic
topic_pages.py  the file of a topic
"""
