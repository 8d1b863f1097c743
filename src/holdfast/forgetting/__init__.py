"""The one true deletion.

erasing.py  a text taken out of every file, and kept out       forgotten.py  known by a fingerprint when it comes again
undoing.py  a record forgotten by its id
"""
