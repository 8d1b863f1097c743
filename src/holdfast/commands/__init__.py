"""The shells: read the words, call Memory, print. cli.py has the ones on the path of a hook; these are loaded when asked for.

other.py        checkpoint, recover, cache, topic, …          views.py       what reading commands show
searching.py    search, tags                                  recovering.py  what hooks missed, before the brief
remembering.py  extract                                       importing.py   import
keeping.py      upkeep, health                                forget.py      forget
setting_up.py   init                                          installing.py  init HOST, uninstall HOST
bringing_in.py  memory of a project from before its init      purging.py     uninstall HOST --purge
doctor.py       doctor                                        proving.py     OpenClaw's plugin, in doctor
demo.py         demo                                          helping.py     help
progress.py     a bar, for long work at a terminal            showing.py     the summary and diffs of init HOST
"""
