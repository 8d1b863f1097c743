"""The tools of memory for agents, and the server that offers them to every client.

server.py    `holdfast mcp`: the protocol; the only module that knows its SDK     tools.py      what each tool does
offered.py   what each is for, what it takes and answers                          resources.py  what a person hands over by name
"""
