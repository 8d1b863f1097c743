"""A second opinion on the candidates of a search, by meaning: `pip install holdfast[vectors]`.

The package `wordllama` brings a table of 32,000 word pieces × 256 numbers. Nothing is downloaded: its own loader looks for the
tokeniser in a folder that the package does not have and then asks the network, so the two files are read here directly.

Two judgements, each of which is right where the other is not:

    word by word   each word of the question is compared with the word of the passage that is nearest to it in meaning; rare words
                   of the question count more. “job” finds “work”, and a name still has to be there.
    as a whole     the mean of the question's words with the mean of the passage's, in which a word counts the less the more often
                   the candidates have it (smooth inverse frequency, Arora, Liang and Ma 2017, with their constant). Without that
                   a name that is everywhere would be most of what every passage means.

They are made of the candidates' texts and their neighbours' at the moment of the question, and nothing is kept: what a question
costs is bounded by its candidates, whatever the corpus, and no first build waits for anything. The lexical score leads and they
adjust it: a word that is there in letters is better evidence than one that is near in meaning. So that passages with other words
for the same are among the candidates, the index is asked for these too (`Table.near`).
"""

from __future__ import annotations

import os
import re
from importlib import import_module

from .questions import STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

WEIGHT = 0.3  # what each judgement adds to the lexical one
BESIDE = 0.3  # as in recall: what a neighbour's judgement adds
_PIECES = "l2_supercat_tokenizer_config.json"
_RARE = 0.001  # of all words of the candidates: one that is as frequent counts half
_BEGINS = "\u2581"  # what a piece that begins a word begins with
_NEAR = 0.35  # cosines below it say nothing: any two words have so much in common
_WORD = re.compile(r"\w+")
_loaded: list[Table] = []


_NEEDED, _FOR_EACH_CPU = 384, 64  # MB of address space: numpy's BLAS takes a share for each processor, and aborts without it


def memory_shortage() -> str:
    """Why there is too little memory to load the table, in words; empty where there is enough.

    Asked before anything is loaded: where a limit (`ulimit -v`) is too low, BLAS ends the whole process, and no exception comes.
    """
    try:
        import resource
    except ImportError:  # a system without limits
        return ""
    limits = (resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_DATA)[0])
    allowed = min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=0)
    needed = _NEEDED + _FOR_EACH_CPU * (os.cpu_count() or 1)
    if not allowed or allowed >= needed << 20:
        return ""
    return f"this process may use {allowed >> 20} MB of memory, and the package for it (holdfast[vectors]) needs some {needed} MB"


def table(folder: str) -> Table | None:
    """The table of the package in a folder, loaded once; None where it cannot be used."""
    if not _loaded:
        try:
            _loaded.append(Table(folder))
        except (OSError, ValueError, KeyError, ImportError, MemoryError):
            return None  # a package of another make: the words alone decide, as without it
    return _loaded[0]


class Table:
    """Words → vectors."""

    def __init__(self, folder: str) -> None:
        import json

        path, names = (os.path.join(folder, "l2_supercat_256.safetensors"), os.path.join(folder, "..", "tokenizers", _PIECES))
        if not (os.path.isfile(path) and os.path.isfile(names)):
            raise FileNotFoundError(path)
        self._np: Any = import_module("numpy")
        self._pieces: Any = import_module("tokenizers").Tokenizer.from_file(names)
        self._known: dict[str, tuple[Any, int]] = {}  # words that were looked up before
        self._all: Any = None
        self._pieces.no_padding()
        self._pieces.no_truncation()
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            (about,) = (value for key, value in json.loads(file.read(length)).items() if key != "__metadata__")
        if about["dtype"] != "F16":
            raise ValueError(f"{path} has numbers of another kind")
        self._vectors = self._np.memmap(
            path, dtype="<f2", mode="r", offset=8 + length + about["data_offsets"][0], shape=tuple(about["shape"])
        )

    def _sums(self, words: Sequence[str]) -> tuple[Any, Any]:
        """The sum of each word's pieces, and how many it has."""
        np = self._np
        new = [word for word in words if word not in self._known]
        for word, encoded in zip(new, self._pieces.encode_batch(new, add_special_tokens=False), strict=True):
            self._known[word] = self._vectors[encoded.ids].astype("f4").sum(axis=0), len(encoded.ids) or 1
        return np.stack([self._known[word][0] for word in words]), np.array([self._known[word][1] for word in words])

    def near(self, words: Sequence[str], most: int = 12, least: float = 0.4) -> list[str]:
        """Other words, in whatever language, that mean about the same: so that what has none of the question's words is found."""
        np = self._np
        if self._all is None:
            self._all = _unit(np, self._vectors.astype("f4"))
        found: dict[str, None] = {}
        for scores in _unit(np, self._sums(words)[0]) @ self._all.T:
            nearest = np.argpartition(-scores, 4 * most)[: 4 * most]
            pieces = [self._pieces.id_to_token(int(n)) for n in nearest[np.argsort(-scores[nearest])] if scores[n] >= least]
            whole = dict.fromkeys(piece[1:].lower() for piece in pieces if piece[0] == _BEGINS and len(piece) > 3)
            found |= dict.fromkeys([word for word in whole if word.isalpha()][:most])
        return [word for word in found if word not in words]

    def judged(self, question: Mapping[str, float], texts: Mapping[int, str]) -> dict[int, float]:
        """How near each text is to the words of a question, which come with their weights; from 0 to 1 by each judgement."""
        np = self._np
        numbers, known = sorted(texts), {word: place for place, word in enumerate(question)}
        places = [[known.setdefault(word, len(known)) for word in self._words(texts[number])] or [0] for number in numbers]
        sums, counts = self._sums(list(known))
        asked = len(question)
        units = _unit(np, sums / counts[:, None])
        ids = np.concatenate([np.array(one) for one in places])
        weights = self._weights(list(known), ids)
        starts = np.concatenate(([0], np.cumsum([len(one) for one in places])[:-1]))
        near = np.maximum.reduceat((units[:asked] @ units.T)[:, ids], starts, axis=1)
        near = np.maximum(near - _NEAR, 0) / (1 - _NEAR)
        near = np.maximum(near, BESIDE * _neighbours(np, numbers, near, np.maximum))
        word_by_word = np.array(list(question.values())) @ near
        sums = sums * weights[:, None]
        whole = _unit(np, np.add.reduceat(sums[ids], starts, axis=0)) @ _unit(np, sums[:asked].sum(axis=0))
        whole = whole + BESIDE * _neighbours(np, numbers, whole, np.add)
        return dict(zip(numbers, (_share(np, word_by_word) + _share(np, whole)).tolist(), strict=True))

    def _weights(self, words: Sequence[str], ids: Any) -> Any:
        """What each word counts: the less, the more often it comes, in whatever letters."""
        np = self._np
        same: dict[str, int] = {}
        folded = np.array([same.setdefault(word.lower(), len(same)) for word in words])
        often = np.bincount(folded[ids], minlength=len(same))[folded] / len(ids)
        return _RARE / (_RARE + often)

    def _words(self, text: str) -> list[str]:
        return [word for word in _WORD.findall(text) if word.lower() not in STOP]


def _unit(np: Any, vectors: Any) -> Any:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def _share(np: Any, scores: Any) -> Any:
    """Scores from 0 for the least to 1 for the best."""
    return (scores - scores.min()) / max(float(np.ptp(scores)), 1e-9)


def _neighbours(np: Any, numbers: Sequence[int], scores: Any, joined: Any) -> Any:
    """What stands before and after each passage, where that is a candidate too."""
    rows = np.array(numbers)
    side = rows[1:] - rows[:-1] == 1
    before, after = np.zeros_like(scores), np.zeros_like(scores)
    before[..., 1:] = np.where(side, scores[..., :-1], 0)
    after[..., :-1] = np.where(side, scores[..., 1:], 0)
    return joined(before, after)
