"""Which of the texts that stand among decisions are decisions. Pure.

A session's state has the user's replies among its decisions, since the next brief must say what
was agreed. In a file that is read for years a mere reply is noise. A correction (`holdfast decide
"correction: X not Y"`, as seed C has it) is a lesson.
"""

from __future__ import annotations

import re

from ..capture.replies import is_confirmation, is_no_alone
from ..documents.days import is_correction

_REPLY = re.compile(
    r"User (?P<how>agreed|answered) \(“(?P<said>.*?)”\)(?: to)?: (?P<about>.*)", re.S
)
_NEXT_STEP = re.compile(  # a question that only asks whether to go on
    r"(?i)\b(?:shall|should|may|can|do you want me to|want me to|ready (?:for me )?to|ok(?:ay)? to"
    r"|let me)\b[^?]{0,20}?\b(?:continue|go on|go ahead|proceed|carry on|keep going|move on|start"
    r"|begin|resume)\b|继续|开始吗"
)


def is_decision(text: str) -> bool:
    """Whether a text decides something. “Go on please” and a yes to “shall I continue?” do not."""
    reply = _REPLY.match(text)
    if reply is None:
        return not is_confirmation(text) and not is_correction(text)
    if reply["how"] == "answered":  # the answer must say itself what is to be done
        return not is_confirmation(reply["said"]) and not is_no_alone(reply["said"].strip())
    return not _NEXT_STEP.search(reply["about"])
