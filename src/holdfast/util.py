"""Digests, times and record ids. It imports nothing of ours, so that every package may use it."""

from __future__ import annotations

import os
import time

try:  # hashlib also loads OpenSSL, a quarter of an interpreter start
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def compute_digest(data: bytes, key: bytes = b"") -> str:
    """Return 128 bits of BLAKE2b as hexadecimal. With a key, nobody without it can find out by trying what was digested."""
    return blake2b(data, digest_size=16, key=key).hexdigest()


def format_time(now: float) -> str:
    """Return a moment as local time in ISO format, to the second, with its offset."""
    clock = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(now))
    return f"{clock[:-2]}:{clock[-2:]}"


def make_id(now: float, newest: str) -> str:
    """Return an id that no other machine makes, and that sorts after the newest one seen."""
    stamp = time.strftime("%Y%m%d-%H%M%S-", time.localtime(now)) + f"{int(now % 1 * 1e6):06d}"
    if newest[:22] >= stamp:
        stamp = _add_microsecond(newest[:22])
    chance = int.from_bytes(os.urandom(5), "big")
    return stamp + "-" + "".join(_ALPHABET[chance >> shift & 31] for shift in range(0, 40, 5))


def make_past_id(moment: float, mark: str) -> str:
    """Return the id of something that happened earlier and is brought in now, made of its moment and its mark.

    The same thing has the same id however often it is brought in, and so it is there once; and it takes the place among the
    others that it has in time, so that the newest is still the newest.
    """
    micros = round(moment * 1e6)
    stamp = time.strftime("%Y%m%d-%H%M%S-", time.localtime(micros // 1_000_000)) + f"{micros % 1_000_000:06d}"
    chance = int(compute_digest(mark.encode("utf-8", "surrogateescape"))[:10], 16)
    return stamp + "-" + "".join(_ALPHABET[chance >> shift & 31] for shift in range(0, 40, 5))


def is_id_of(record_id: str, mark: str) -> bool:
    """Return whether a record is of the thing that a mark identifies, whenever that was."""
    return record_id[23:] == make_past_id(0.0, mark)[23:]


def _add_microsecond(stamp: str) -> str:
    """Return the stamp one microsecond on."""
    if stamp[16:22] != "999999":
        return f"{stamp[:16]}{int(stamp[16:22]) + 1:06d}"
    import calendar

    try:
        parts = time.strptime(stamp[:15], "%Y%m%d-%H%M%S")
    except ValueError:
        return stamp  # no moment at all: a damaged mark; the random end keeps the ids apart
    return time.strftime("%Y%m%d-%H%M%S-000000", time.gmtime(calendar.timegm(parts) + 1))
