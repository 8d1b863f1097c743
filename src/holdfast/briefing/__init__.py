"""What puts an agent back on its feet, and whether it got there.

recovery.py     what is known at the moment of need      brief.py     known + budget → brief
places.py       … its files, and names at their places
attribution.py  whose words these are, and who may be told
giving.py       what sessions were given, and are owed   delivery.py  has what we gave arrived?
arrivals.py     … told by a transcript's newest lines
threads.py      what sessions have left open, and the note of it
summarising.py  what a summariser is asked to keep       losses.py    what its summary has dropped
"""
