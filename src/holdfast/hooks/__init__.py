"""What a host's hook says, carried out. Payload and reply in a host's own words are in hosts/.

dispatch.py   `holdfast hook HOST [EVENT]`: exits 0 always       occasions.py  what each event asks for
presence.py   the host's process, and whether anybody is there
receipts.py   what hooks did, read                               mishaps.py    what went wrong, and where that is said
gateway.py    OpenClaw's plugin                                  called.py     what is called by name there
residing.py   one process for as long as its gateway runs        loading.py    the plugin is loaded, a turn begins
explicit_save.py  a save that somebody asks for, and the template for the agent
"""
