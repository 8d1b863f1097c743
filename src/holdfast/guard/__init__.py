"""What may enter memory, and how it goes out: no secret in, no echo back, no orders given. Pure.

entering.py   the one way in: printable, redacted, refused      framing.py    the one way out: between marks that cannot be forged
redaction.py  secrets found, and placeholders put in            rules.py      what secrets look like: facts, as tables
tokens.py     what tokens look like, issuer by issuer           private_keys.py  with and without their armour
assigned.py   a word for a secret, and the value given to it    judging.py    does a value look like one?
disguise.py   what a text says once disguises are undone        telltales.py  where it is worth looking: two engines
echo.py       what we gave is known again by its words          unremembered.py  what somebody asks not to be remembered
"""
