"""Memory that keeps itself in order, and never destroys: look, plan, apply.

surveying.py   what is there                                      planning.py   there + settings + today → the plan
plan.py        a plan is data                                     applying.py   carried out, each change looked at again
archiving.py   days past their time                               promoting.py  what recurs goes home
homes.py       where facts live                                   reviewing.py  the weekly review
deciding.py    which texts are decisions
brought.py     what reviews have brought home, by digests         freshness.py  how fresh a document says it is
tagging.py     notes without a type                               tidying.py    rotate, close, expire
trash.py       what was taken out, with its reason                committing.py one git commit, where it is asked for
unasked.py     begun by a hook when it is due                     scheduling.py … or by a schedule
health.py      is what is remembered whole?                       examining.py  what health must know besides documents
"""
