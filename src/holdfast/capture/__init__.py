"""From what was said and done to what is worth keeping, without a model.

learning.py     events → what a session shows                      draft.py        … → draft checkpoint
working.py      what was run, and what came of it                  signs.py        what a text shows by its form
following.py    a transcript read on from where it was left        missed.py       sessions that no hook has told of
adopting.py     blocks that were written into a day by hand        whereabouts.py  which sessions on this machine are meant
extracting.py   what is worth remembering in any text              lasting.py      what was said so plainly that it is kept
gleaning.py     … kept by itself at a boundary                     dates.py        days as people name them
classifying.py  the type of a note                                 cues.py         the words that tell it
outcomes.py     what came of a command, by what it printed         replies.py      what a short reply means
tail.py         the end of a transcript, within bounds             hearing.py      what a prompt asks of memory, by its words
pasted.py       what of a prompt was typed, and what was pasted    errands.py      to-do items, and what goes on in the background
changes.py      what has become of files: changed, moved, undone   tongues.py      how other languages demand and forbid
abroad.py       what is meant to last, in other languages          claims.py       whose a record is that names no session
small_talk.py   what asks for nothing and answers nothing          condense.py     messages shortened to what says most
naming.py       what a text names: identifiers, files              told.py         what a transcript has told, by the journal
save_requests.py  whether a prompt asks to save              session_digest.py  what a day says of a session
"""
