"""The laboratory: puts any command that works on any folder through faults.

It knows nothing of Holdfast: a `Command` is an argv and an environment, a store is a folder tree.

    command.py       what is put through the faults, and the report of what was found
    trace.py         which system calls a command makes on a folder (strace)
    inject.py        one run with one fault: SIGKILL or an errno at the n-th call of a name
    kill_points.py   SIGKILL before every system call
    nth_fault.py     every system call fails once, with every errno that is realistic for it
    crash_states.py  every disk state that POSIX allows after a power cut, from one trace
    disk_model.py    the rules behind crash_states.py: what is certain, what is pending
    power.py         real power cuts on a loop-mounted ext4 or XFS
    racers.py        a person's editors, saving while the command runs
    acks.py          what must be there afterwards, kept outside the process under test
    toy.py           a small durable writer with seeded bugs: the laboratory's own control
    broken.py        the real program with its os functions broken on purpose
"""
