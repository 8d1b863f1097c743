"""Recall: what was written is found again, in any language, wherever it stands, and an empty answer says why."""

from __future__ import annotations

import fcntl
import gzip
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Holdfast
from holdfast.config import Config
from holdfast.memory import Memory
from holdfast.model import Note
from holdfast.recall import answering as recall
from holdfast.recall import asking, hits, index
from holdfast.recall.passages import passages
from holdfast.recall.questions import distance, parsed, words_in
from holdfast.recall.wording import parts
from holdfast.storage import tree
from nasty import tries


def written(workspace: Path, files: dict[str, str]) -> None:
    """Documents of a workspace."""
    for path, text in files.items():
        target = workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def found(holdfast: Holdfast, query: str, *flags: str) -> dict[str, Any]:
    """A search as JSON."""
    answer = holdfast("search", "--json", *flags, "--", query)
    assert answer.code == 0, answer.err
    data: dict[str, Any] = json.loads(answer.out)
    return data


def paths(holdfast: Holdfast, query: str, *flags: str) -> list[str]:
    """The paths of the hits, in their order."""
    return [hit["path"] for hit in found(holdfast, query, *flags)["results"]]


# ---- what is understood ------------------------------------------------------------------------------------------------

NOTES = """# Notes
#tags: infra, billing

## Deployment on Fridays

- We bought two new servers for the warehouse
- The function shouldCondense() decides when to fold the history
- deploy_to_prod waits for a green build
- The parser broke in v1.2.3 and was mended in v1.2.4
- 我们周末一起去公园跑步，然后喝咖啡
- 会議は東京の新しいオフィスで開かれます
- 서울에서 열린 회의에 참석했다
- ประชุมทีมงานที่กรุงเทพ
- Das Café an der Straße hat montags geschlossen
- Переезд в новый офис намечен на осень
- HTTPServer2 listens on port 8443
- ＡＰＩ キー は 三日 で 切れる
- error: connection refused at 10.0.0.17:5432
- JSONDecoder reads the feed
"""


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("servers", 6),
        ("what did we buy for the warehouse?", 6),
        ("shouldCondense", 7),
        ("should_condense", 7),
        ("condense", 7),
        ("deploy_to_prod", 8),
        ("deployToProd", 8),
        ("1.2.3", 9),
        ("公园", 10),
        ("跑步在哪里", 10),
        ("喝咖啡", 10),
        ("東京", 11),
        ("オフィス", 11),
        ("회의", 12),
        ("서울", 12),
        ("กรุงเทพ", 13),
        ("cafe strasse montags", 14),
        ("новый офис", 15),
        ("HTTP server", 16),
        ("8443", 16),
        ("API", 17),
        ("10.0.0.17", 18),
        ("connection refused", 18),
        ("decoder", 19),
        ("JSONDecoder", 19),
        ("json_decoder", 19),
    ],
)
def test_a_note_is_found_by_the_words_that_people_ask_with(holdfast: Holdfast, workspace: Path, query: str, line: int) -> None:
    """Other forms of a word, parts of identifiers, scripts without spaces, accents: the first hit is the line that is meant."""
    written(workspace, {"memory/notes.md": NOTES})
    first = found(holdfast, query)["results"][0]
    assert (first["path"], first["start_line"], first["end_line"]) == ("memory/notes.md", line, line)


MIXED = [  # what is written without a space between two scripts, and what somebody asks for
    ("我们用Redis做缓存，端口6380", "Redis"), ("我们用Redis做缓存，端口6380", "6380"), ("用redis-cli连接", "redis"),
    ("用redis-cli连接", "redis-cli"), ("调用shouldCondense函数", "condense"), ("调用shouldCondense函数", "should_condense"),
    ("密钥在1Passwordにある", "1Password"), ("パスワードは1Passwordにある", "1password"), ("ポート5599で動いている", "5599"),
    ("결제는 Stripe로 처리한다", "stripe"), ("ใช้Dockerบนเครื่อง", "docker"), ("ＡＰＩを呼ぶ", "api"), ("升级到v2.4.0之后", "2.4.0"),
]  # fmt: skip


@pytest.mark.parametrize(("note", "query"), MIXED)
def test_a_word_is_found_that_stands_in_another_script_without_spaces(
    holdfast: Holdfast, workspace: Path, note: str, query: str
) -> None:
    """To the tokeniser `用Redis做缓存` is one word; people write so, and ask for Redis. And nothing has to be forgiven for it."""
    written(workspace, {"memory/a.md": f"- {note}\n", "memory/b.md": "- something else\n"})
    answer = found(holdfast, query)
    assert ([hit["text"] for hit in answer["results"]], answer["note"]) == ([f"- {note}"], "")
    answer = found(holdfast, f'"{query}"') if query.lower() in note.lower() else answer
    assert answer["note"] == ""


MARKED = [  # words with marks: vowels that stand behind, above or below their letter, accents that are written apart
    ("टेस्ट सर्वर पोर्ट 9090 पर चलता है", "सर्वर"), ("टेस्ट सर्वर पोर्ट 9090 पर चलता है", "टेस्ट पोर्ट"), ("বাংলা ভাষার সার্ভার", "সার্ভার"),
    ("தமிழ் சேவையகம்", "சேவையகம்"), ("తెలుగు సర్వర్", "సర్వర్"), ("ਪੰਜਾਬੀ ਸਰਵਰ", "ਸਰਵਰ"), ("Ask Wójcik first", "Wo\u0301jcik"),
    ("Ask Wo\u0301jcik first", "Wójcik"), ("Ask Wo\u0301jcik first", "wojcik"), ("Máy chủ thử nghiệm", "nghie\u0323\u0302m"),
]  # fmt: skip


@pytest.mark.parametrize(("note", "query"), MARKED)
def test_a_mark_is_a_part_of_its_word(holdfast: Holdfast, workspace: Path, note: str, query: str) -> None:
    """Hindi and its neighbours write vowels as marks, and a Mac may write an accent as one: the word is not cut there."""
    written(workspace, {"memory/a.md": f"- {note}\n", "memory/b.md": "- something else\n"})
    for asked_ in (query, f'"{query}"') if query in note else (query,):
        answer = found(holdfast, asked_)
        assert ([hit["text"] for hit in answer["results"]], answer["note"]) == ([f"- {note}"], "")


@pytest.mark.parametrize(
    ("name", "query"), [("数据库迁移", "迁移"), ("context-支付网关", "网关"), ("Redis缓存", "redis"), ("田中さん", "田中")]
)
def test_a_name_of_a_file_in_a_script_without_spaces_is_found_by_its_parts(
    holdfast: Holdfast, workspace: Path, name: str, query: str
) -> None:
    """As a heading is."""
    written(workspace, {f"memory/{name}.md": "- text\n", "memory/b.md": "- something else\n"})
    assert paths(holdfast, query) == [f"memory/{name}.md"]


@pytest.mark.parametrize("query", ["园", "咖", "啡"])
def test_a_single_character_is_found_wherever_it_stands(holdfast: Holdfast, workspace: Path, query: str) -> None:
    """In the middle of a run, at its end, before a comma."""
    written(workspace, {"memory/notes.md": NOTES})
    assert found(holdfast, query)["results"][0]["start_line"] == 10


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("fridays deployment", "memory/notes.md"),  # the heading above
        ("billing", "memory/notes.md"),  # a tag
        ("March 2026", "memory/2026-03-09.md"),  # a date, as people say it
        ("2026-03-09", "memory/2026-03-09.md"),
        ("payment gateway", "memory/context-payment-gateway.md"),  # the name of the file
    ],
)
def test_headings_tags_dates_and_file_names_lead_to_a_passage(
    holdfast: Holdfast, workspace: Path, query: str, path: str
) -> None:
    """What is said above a passage, or by its file, is found too."""
    day = "# 2026-03-09\n\n- nothing to do with the question\n"
    topic = {"memory/context-payment-gateway.md": "# Topic\n\ntext\n"}
    written(workspace, {"memory/notes.md": NOTES, "memory/2026-03-09.md": day, **topic})
    assert paths(holdfast, query)[0] == path


@pytest.mark.parametrize("asked", ["what did we watch on 1 May, 2022?", "what was on in May 2022", "the film of the 1st of May"])
def test_may_beside_a_number_is_a_month(holdfast: Holdfast, workspace: Path, asked: str) -> None:
    """And else the verb that every question may have."""
    days = {f"memory/2022-{month}.md": "- we watched a film\n" for month in ("04-01", "05-01", "06-01")}
    written(workspace, days)
    assert paths(holdfast, asked)[0] == "memory/2022-05-01.md"
    assert paths(holdfast, "may we watch a film")[0] == "memory/2022-06-01.md"


def test_of_many_records_that_say_the_same_a_few_are_named(holdfast: Holdfast) -> None:
    """Every checkpoint of a long talk has the same line: documents stand first, and the rest is counted."""
    for number in range(8):
        holdfast("checkpoint", "--correction", "never invite the heron", "--task", f"step {number}", "--session", "s1")
    (hit,) = [line for line in holdfast("search", "heron").out.split("\n\n") if "also in" in line][:1]
    also = hit.partition("also in ")[2].strip()
    assert also.startswith("memory/")
    assert re.search(r"(?:\S+, ){2}\S+ and \d+ more$", also)


def test_the_json_says_all_of_a_hit(holdfast: Holdfast, workspace: Path) -> None:
    """Path, lines, text, score, heading, date, origin, type; how much was searched; a note."""
    written(workspace, {"MEMORY.md": "# Memory\n\n## [PREF] Style\n\n- small commits,\n  one change each\n"})
    data = found(holdfast, "commits")
    hit = data["results"][0]
    today = time.strftime("%Y-%m-%d")
    assert hit.pop("score") > 0
    assert hit == {
        "path": "MEMORY.md", "start_line": 5, "end_line": 6, "text": "- small commits,\n  one change each",
        "heading": "Memory > [PREF] Style", "date": today, "origin": "memory", "type": "PREF", "also": [],
        "changed_since": False,
    }  # fmt: skip
    assert data["searched"] == {"files": 1, "passages": 1}
    assert data["note"] == ""


@pytest.mark.parametrize("quotes", ['"{}"', "“{}”", "«{}»"])
def test_a_quoted_phrase_must_stand_there_exactly(holdfast: Holdfast, workspace: Path, quotes: str) -> None:
    """Only the passage with the very words counts; where there is none, the answer says so and gives what is near."""
    written(workspace, {"memory/a.md": "- the green build waits\n\n- build green, then wait\n"})
    assert [hit["start_line"] for hit in found(holdfast, quotes.format("green build"))["results"]] == [1]
    near = found(holdfast, quotes.format("green waits"))
    assert "word for word" in near["note"]
    told = holdfast("search", quotes.format("green waits")).out
    assert told.startswith("No passage has “green waits” word for word; these have words of the question.\n\n")
    assert near["results"]


def test_a_quoted_phrase_in_chinese_must_stand_there_exactly(holdfast: Holdfast, workspace: Path) -> None:
    """Characters that stand apart are no phrase."""
    written(workspace, {"memory/a.md": "- 全文检索很快\n\n- 检索全文很慢\n"})
    assert [hit["start_line"] for hit in found(holdfast, "「全文检索」")["results"]] == [1]


@pytest.mark.parametrize("filling", ["and so on, as it was said at length before, ", "等等如前面所说的那样很长很长，"])
@pytest.mark.parametrize("before", [0, 9])
@pytest.mark.parametrize("behind", [0, 9])
def test_of_a_long_passage_the_part_is_shown_that_has_most_of_the_words(
    holdfast: Holdfast, workspace: Path, filling: str, before: int, behind: int
) -> None:
    """Not the first part that has one of them: the staging cluster is not the answer to a question for its database's port."""
    text = f"- Staging: {filling * before}the staging database is on port 5433{filling * behind} and a port for staging"
    written(workspace, {"memory/a.md": f"{text}\n"})
    assert "database is on port 5433" in holdfast("search", "which port has the staging database").out


ABROAD = [  # a question in another language, what answers it, and what only has its small words
    ("Siezen wir die Kunden?", "Kunden werden gesiezt", "wir sind die Ersten, wir die Letzten"),
    ("wer ist für die Datenbank da", "Datenbank: Jürgen", "die Frage, wer für wen da ist"),
    ("à quelle heure sont les sauvegardes", "la sauvegarde tourne à 2 h, heure de Paris", "quelle suite, et quelles autres"),
    ("¿quién aprueba los gastos?", "el gasto lo aprueba Íñigo", "los que quién sabe, los otros y los demás"),
    ("где пароль от базы", "пароль базы в сейфе", "где кто от кого, и где что от чего"),
    ("पासवर्ड कहाँ है", "पासवर्ड वॉल्ट में", "कहाँ कौन है और कहाँ क्या है"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "note", "other"), ABROAD)
def test_small_words_of_other_languages_say_nothing(
    holdfast: Holdfast, workspace: Path, query: str, note: str, other: str
) -> None:
    """In a memory that is mostly English they are rare, and would count more than the word that is meant."""
    english = "".join(f"- line {n} of an English day\n" for n in range(30))
    written(workspace, {"memory/a.md": english, "memory/b.md": f"- {note}\n", "memory/c.md": f"- {other}\n"})
    assert paths(holdfast, query) == ["memory/b.md"]


@pytest.mark.parametrize("query", ["the sin of the father", "dove", "Los Angeles", "MIT", "die hard", "est", "der", "wo ist das"])
def test_a_small_word_of_another_language_is_looked_for_where_it_is_an_english_one_or_the_only_one(
    holdfast: Holdfast, workspace: Path, query: str
) -> None:
    """Nothing that can be asked for becomes nothing by this."""
    written(workspace, {"memory/a.md": f"- {query}\n", "memory/b.md": "- the father is hard on Angeles\n- more\n- and more\n"})
    assert paths(holdfast, query)[0] == "memory/a.md"


BENT = [  # a word, and the form in which somebody asks for it, beside a word that another note has
    ("снимок виртуальной машины", "виртуальные машины heron"), ("отпуск Смирнова", "в отпуске heron"),
    ("тестовая база", "базы heron"), ("обновление ядра", "обновлениями heron"),
    ("die Schnittstelle zur DATEV", "die Schnittstellen und heron"),
    ("die Rechnungsnummernkreise", "eine Rechnung und heron"), ("der Datenbankausfall", "die Datenbankausfälle und heron"),
    ("Frau Hößl", "Hoessl heron"), ("an der Hauptstraße", "Hauptstrasse heron"), ("Herr Brueckner", "Brückner heron"),
    ("Maß", "mass heron"), ("the cert is expired", "certificate heron"), ("in the db", "database heron"),
    ("the k8s node", "kubernetes heron"),
    ("the config is wrong", "configuration heron"), ("the database", "db heron"),
]  # fmt: skip


@pytest.mark.parametrize(("note", "query"), BENT)
def test_a_word_is_found_in_another_form_also_beside_one_that_is_found_as_it_is(
    holdfast: Holdfast, workspace: Path, note: str, query: str
) -> None:
    """Endings of languages that bend their words, umlauts that are spelt out, what things are called for short."""
    more = "- more\n- and more\n- or less\n"
    written(workspace, {"memory/a.md": f"- {note}\n", "memory/b.md": "- a heron\n", "memory/c.md": more})
    assert set(paths(holdfast, query)) == {"memory/a.md", "memory/b.md"}


SLIPS = [  # database and lighthouse have stems that would be cut once more where they are asked for as they are
    ("kuberntes", "kubernetes"), ("migartion", "migration"), ("postgers", "postgres"),
    ("databse", "database"), ("lightouse", "lighthouse"), ("deployment", "deploy"), ("kanaries", "canary"),
]  # fmt: skip


@pytest.mark.parametrize(("typo", "meant"), SLIPS)
def test_a_slip_is_forgiven_when_nothing_else_is_found(holdfast: Holdfast, workspace: Path, typo: str, meant: str) -> None:
    """The answer says what it took the word for."""
    written(workspace, {"memory/a.md": f"- the {meant} is done\n", "memory/b.md": "- something else\n"})
    answer = found(holdfast, typo)
    assert [hit["path"] for hit in answer["results"]] == ["memory/a.md"]
    assert f"as they are written; these have {meant}" in answer["note"]
    assert holdfast("search", typo).out.startswith(f"Nothing has the words as they are written; these have {meant}.\n\n")


@pytest.mark.parametrize(("word", "short"), [("racering", "caver"), ("nickliess", "nocal"), ("dincraning", "dinke")])
def test_a_long_word_is_not_taken_for_a_short_one_that_two_slips_and_an_ending_would_make(
    holdfast: Holdfast, workspace: Path, word: str, short: str
) -> None:
    """In five letters a second slip makes another word, also where the rest of the long one could be an ending."""
    written(workspace, {"memory/a.md": f"- the {short} is done\n"})
    assert found(holdfast, word)["results"] == []


ENDINGS = [("recieveing", "receive"), ("seperatly", "separate"), ("definately", "definite"), ("orgenisation", "organise")]


@pytest.mark.parametrize(("typo", "meant"), ENDINGS)
def test_a_slip_before_an_ending_is_forgiven(holdfast: Holdfast, workspace: Path, typo: str, meant: str) -> None:
    """The index has stems, and people ask with endings."""
    written(workspace, {"memory/a.md": f"- they {meant} it\n"})
    assert paths(holdfast, typo) == ["memory/a.md"]


def test_the_beginning_of_a_word_is_enough_when_nothing_else_is_found(holdfast: Holdfast, workspace: Path) -> None:
    """Compounds in German, Dutch or Finnish are found by their first part."""
    written(workspace, {"memory/a.md": "- Die Datenschutzerklärung fehlt\n- Rechnungsnummernkreise\n"})
    assert paths(holdfast, "Datenschutz") == ["memory/a.md"]
    assert paths(holdfast, "Rechnung") == ["memory/a.md"]


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "abxc", 1), ("abcd", "badc", 2), ("", "a", 1)],
)
def test_slips_are_counted_as_people_make_them(one: str, other: str, slips: int) -> None:
    """Two neighbouring letters swapped are one slip, not two."""
    assert distance(one, other, 3) == slips


# ---- what is searched --------------------------------------------------------------------------------------------------

PLACES = {
    "MEMORY.md": "memory",
    "SESSION-STATE.md": "state",
    "memory/2026-11-15.md": "day",
    "memory/episodic/2026-11-14.md": "day",
    "memory/context-shop.md": "topic",
    "memory/semantic/decisions.md": "semantic",
    "memory/procedural/release.md": "procedural",
    "memory/working-buffer.md": "buffer",
    "memory/session-state.md": "state",
    "memory/archive/2026/10/2026-10-03.md": "archive",
    "memory/anything/else.md": "document",
}


@pytest.mark.parametrize("path", PLACES)
def test_every_document_is_searched(holdfast: Holdfast, workspace: Path, path: str) -> None:
    """Wherever the seeds keep their texts, and each hit says where it comes from."""
    written(workspace, {path: "# Title\n\n- the heron stands in the reeds\n"})
    hit = found(holdfast, "heron")["results"][0]
    assert (hit["path"], hit["origin"]) == (path, PLACES[path])


def test_packed_archives_are_searched(holdfast: Holdfast, workspace: Path) -> None:
    """Days that upkeep has compressed are found as before, with their lines."""
    zstandard = pytest.importorskip("zstandard", reason="the zstandard package is not installed")
    folder = workspace / "memory" / "archive"
    folder.mkdir(parents=True)
    (folder / "2025-01-01.md.gz").write_bytes(gzip.compress(b"# 2025-01-01\n\n- the heron\n"))
    (folder / "2025-01-02.md.zst").write_bytes(zstandard.compress(b"# 2025-01-02\n\n- the stork\n"))
    (folder / "2025-01-03.md.gz").write_bytes(b"torn")
    heron, stork = found(holdfast, "heron"), found(holdfast, "stork")
    assert heron["results"][0]["path"] == "memory/archive/2025-01-01.md.gz"
    assert heron["results"][0]["date"] == "2025-01-01"
    assert stork["results"][0]["start_line"] == 3
    assert "2025-01-03.md.gz" in stork["note"]


def test_what_stands_in_a_document_is_shown_there(holdfast: Holdfast, workspace: Path) -> None:
    """A record of the journal may match better, being shorter; whoever searches is led to the file that a person reads."""
    holdfast("task", "move the invoices to the new rates")
    holdfast("context", "branch", "feature/rates")
    holdfast("checkpoint", "--status", "half done")
    hits = found(holdfast, "rates")["results"]
    assert [hit["path"] for hit in hits if any(path.startswith("memory/") for path in (hit["path"], *hit["also"]))] == [
        hit["path"] for hit in hits if hit["path"].startswith("memory/")
    ]
    assert any(path.startswith(".holdfast/journal/") for hit in hits for path in hit["also"])
    for hit in hits:
        lines = (workspace / hit["path"]).read_text().split("\n")[hit["start_line"] - 1 : hit["end_line"]]
        assert "rates" in " ".join(lines)


def test_the_journal_is_searched_and_says_nothing_twice(holdfast: Holdfast, workspace: Path) -> None:
    """A note stands in its day and in the journal: one hit, which names the other place. Without the day, the journal answers."""
    holdfast("note", "the heron nests in April")
    (hit,) = found(holdfast, "heron")["results"]
    assert hit["origin"] == "day"
    assert hit["also"][0].startswith(".holdfast/journal/")
    (workspace / hit["path"]).unlink()
    (hit,) = found(holdfast, "heron")["results"]
    assert hit["origin"] == "journal"
    lines = (workspace / hit["path"]).read_text().split("\n")
    assert "heron" in lines[hit["start_line"] - 1]


EDITS = [  # what was saved, how a person has changed the day since, and whether the journal's copy is the only one that says it
    ("corrected", lambda text: text.replace("5433", "5544"), True),
    ("deleted", lambda text: text.replace("- [TECH] The staging database listens on port 5433\n", ""), True),
    ("put elsewhere in the day", lambda text: text.replace("- [TECH] The", "\n## Ports\n\n* The"), False),
    ("said with more around it", lambda text: text.replace("5433", "5433, " + "and so it was last year, too, " * 4), False),
    ("untouched", lambda text: text, False),
]


@pytest.mark.parametrize("packed", [False, True], ids=["a record", "a packed day"])
@pytest.mark.parametrize(("edit", "stale"), [row[1:] for row in EDITS], ids=[row[0] for row in EDITS])
def test_what_was_saved_and_is_edited_since_stands_below_documents_and_says_so(
    edit: Callable[[str], str], stale: bool, packed: bool, holdfast: Holdfast, workspace: Path
) -> None:
    """A person's edit is law. The journal still answers where no document does, and says that it is as it was then."""
    holdfast("note", "--type", "TECH", "The staging database listens on port 5433")
    holdfast("note", "The heron on the staging meadow is no database")
    (day,) = workspace.glob("memory/*.md")
    if packed:
        memory = Memory(str(workspace), Config(), write=True)
        memory.journal.pack(day.stem)
        memory.close()
    day.write_text(edit(day.read_text()))
    for limit in ("10", "1"):
        hits = found(holdfast, "staging database port 5433", "--limit", limit)["results"]
        assert hits[0]["changed_since"] is False
        assert hits[0]["origin"] == "day" or not stale
        assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    hits = found(holdfast, "staging database port 5433")["results"]
    old = [hit for hit in hits if hit["origin"] == "journal" and "5433" in hit["text"]]
    assert [hit["changed_since"] for hit in old] == [True] * stale or not stale
    assert not any(hit["changed_since"] for hit in hits if hit not in old)
    told = holdfast("search", "staging database port 5433").out
    assert ("its document has been changed since" in told) == stale


@pytest.mark.parametrize("why", ["beside a busy writer", "not text any more"])
def test_what_its_document_may_still_say_is_not_called_changed_since(why: str, holdfast: Holdfast, workspace: Path) -> None:
    """A record that waits for its document is the newest that there is; of a document that cannot be searched nobody knows."""
    holdfast("note", "The heron on the meadow")
    (day,) = workspace.glob("memory/*.md")
    if why == "beside a busy writer":
        with (workspace / ".holdfast" / "lock").open("r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            assert "the next command brings the files up to date" in holdfast("note", "The kingfisher on the meadow").err
            hits = found(holdfast, "kingfisher meadow")["results"]
    else:
        holdfast("note", "The kingfisher on the meadow")
        day.write_text(day.read_text(), encoding="utf-16")
        hits = found(holdfast, "kingfisher meadow")["results"]
    assert "kingfisher" in hits[0]["text"]
    assert not any(hit["changed_since"] for hit in hits)


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("- small commits (from 2026-11-03)", "2026-11-03"), ("- small commits (from 2026-11-03, 2026-11-09)", "2026-11-09"),
        ("- 2026-01-02: small commits (from 2026-11-03)", "2026-11-03"), ("- small commits (from 2026-99-03)", ""),
        ("- small commits (from Lena)", ""), ("- small commits (from 2026-11-03; superseded 2026-11-09)", ""),
        ("- (from 2026-11-03) small commits", "2026-11-03"), ("- small commits (from )", ""), ("- (from a) (b)", ""),
    ],
)  # fmt: skip
def test_a_fact_at_home_is_of_the_day_that_it_comes_from(line: str, day: str) -> None:
    """Not of the day on which its home was last written to: `--since` asks for the fact."""
    assert [passage.date for passage in passages(line)] == [day]


LESSON = "Never run the migration from a laptop, since the lock in the bucket gets stuck and the peering was destroyed"
REFERENCE = "- [LESSON] → {}: Never run the migration from a laptop, since the lock in t…\n"


@pytest.mark.parametrize("home", ["MEMORY.md", "memory/procedural/lessons-learned.md"])
@pytest.mark.parametrize("asked", ["migration laptop lock", "stuck bucket peering", "laptop"])
@pytest.mark.parametrize("limit", ["10", "1"])
def test_a_fact_that_has_gone_home_is_one_hit_and_shown_there(
    holdfast: Holdfast, workspace: Path, home: str, asked: str, limit: str
) -> None:
    """Its day keeps a reference with the first words, and the journal its record: neither stands above the whole or beside it."""
    holdfast("note", "--type", "LESSON", LESSON)
    (day,) = workspace.glob("memory/*.md")
    others = "".join(f"- another line about {word}\n" for word in ("herons", "storks", "cranes"))
    written(workspace, {home: f"# Home\n\n{others}- {LESSON} (from {day.stem})\n{others}"})
    day.write_text(day.read_text().replace(f"- [LESSON] {LESSON}\n", REFERENCE.format(home)))
    (hit,) = (hit for hit in found(holdfast, asked, "--limit", limit)["results"] if "laptop" in hit["text"])
    assert (hit["path"], hit["start_line"], hit["text"]) == (home, 6, f"- {LESSON} (from {day.stem})")
    assert (hit["type"], hit["date"], hit["changed_since"]) == ("LESSON", day.stem, False)
    assert hit["also"]
    written(workspace, {"memory/b.md": "- another laptop\n", "memory/c.md": "- a heron\n" * 9})
    assert len(found(holdfast, "migration laptop lock", "--limit", "2")["results"]) == 2


def test_a_reference_whose_home_says_something_else_is_shown_as_it_is(holdfast: Holdfast, workspace: Path) -> None:
    """And the journal's record is marked as changed since: a person's edit is law in the home too."""
    holdfast("note", "--type", "LESSON", LESSON)
    (day,) = workspace.glob("memory/*.md")
    herons = "".join(f"- heron {n}\n" for n in range(9))
    written(workspace, {"MEMORY.md": f"# Memory\n\n- Run the migration from wherever you like\n{herons}"})
    day.write_text(day.read_text().replace(f"- [LESSON] {LESSON}\n", REFERENCE.format("MEMORY.md")))
    hits = {hit["origin"]: hit["changed_since"] for hit in found(holdfast, "migration laptop peering")["results"]}
    assert hits == {"day": False, "memory": False, "journal": True}


def test_what_stands_in_a_document_is_shown_there_however_low_it_ranks(workspace: Path) -> None:
    """Short records in the journal rank above the long days that say the same: for thirty of these, no day is among the best."""
    moment = [time.time() - 40 * 86400]
    memory = Memory(str(workspace), Config(), write=True, clock=lambda: moment[0])
    for number in range(30):
        memory.note("s", Note(text=f"heron {number} stands in the reeds"))
        for line in range(9):
            memory.note("s", Note(text=f"line {line} of the day has nothing to do with any bird"))
        moment[0] += 86400
    hits = memory.recall("heron").hits
    memory.close()
    assert [(hit.origin, len(hit.also), "heron" in hit.text) for hit in hits] == [("day", 1, True)] * 10


DAYS = [  # what is asked for on Wednesday, 4 November 2026
    ("2026-11-01", "2026-11-01"), ("today", "2026-11-04"), ("Yesterday", "2026-11-03"), ("14d", "2026-10-21"),
    ("2w", "2026-10-21"), ("2 weeks", "2026-10-21"), ("3 days ago", "2026-11-01"), ("monday", "2026-11-02"),
    ("wed", "2026-11-04"), ("Thursday", "2026-10-29"), ("this week", "2026-11-02"), ("last week", "2026-10-26"),
    ("this month", "2026-11-01"), ("last  month", "2026-10-01"), ("昨天", "2026-11-03"), ("前天", "2026-11-02"),
    ("3天前", "2026-11-01"), ("2周", "2026-10-21"), ("周一", "2026-11-02"), ("星期日", "2026-11-01"), ("上周", "2026-10-26"),
    ("上个月", "2026-10-01"), ("0d", "2026-11-04"),
    ("soon", ""), ("", ""), ("d", ""), ("周", ""), ("2x", ""), ("1e3d", ""), ("-3d", ""), ("²d", ""), ("next week", ""),
]  # fmt: skip


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles", "Pacific/Auckland"])
@pytest.mark.parametrize(("asked", "day"), DAYS)
def test_days_are_understood_as_people_name_them(asked: str, day: str, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also an hour after midnight with a change of the clocks in between; what is no day is none."""
    from holdfast.commands.searching import _day

    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        now = time.mktime((2026, 11, 4, 0, 30, 0, 0, 0, -1))
        there.setattr(time, "time", lambda: now)
        there.setattr(time, "localtime", lambda moment=now, real=time.localtime: real(moment))
        found = _day(asked)
    time.tzset()
    assert found == day


@pytest.mark.parametrize("asked", ["99999d", "99999w"])
def test_days_before_there_were_any_are_the_first_of_all(asked: str) -> None:
    """The system's calendar begins in 1970, and so does what a search can be asked for."""
    from holdfast.commands.searching import _day

    assert _day(asked)[:9] in ("1969-12-3", "1970-01-0")


def test_the_marker_of_snapshots_lists_them_newest_first(holdfast: Holdfast, workspace: Path) -> None:
    """Seed B's own question: `BIG-MEMORY-SNAPSHOT`."""
    block = "<!-- BIG-MEMORY-SNAPSHOT v1 -->\n<!-- timestamp: {} -->\n\n### [SNAPSHOT] Active Goal\ng\n\n"
    block += "<!-- /BIG-MEMORY-SNAPSHOT -->\n"
    stamps = ["2026-01-05T10:00:00", "2026-03-01T09:00:00", "2026-01-05T12:00:00"]
    for stamp in stamps:
        path = workspace / "memory" / f"{stamp[:10]}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + "\n" + block.format(stamp))
    hits = found(holdfast, "BIG-MEMORY-SNAPSHOT")["results"]
    assert [stamp for hit in hits for stamp in stamps if stamp in hit["text"]] == sorted(stamps, reverse=True)


def test_a_link_out_of_the_workspace_is_not_followed(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """Nothing outside is read."""
    (tmp_path / "secret.md").write_text("- the heron\n")
    written(workspace, {"memory/a.md": "- the stork\n"})
    (workspace / "memory" / "b.md").symlink_to(tmp_path / "secret.md")
    (workspace / "memory" / "c").symlink_to(tmp_path)
    assert paths(holdfast, "heron") == []
    assert paths(holdfast, "stork") == ["memory/a.md"]


def said(role: str, text: str) -> str:
    """A line of a Claude Code transcript."""
    message = {"role": role, "content": text}
    about = {"type": role, "sessionId": "s1", "uuid": text[:8], "timestamp": "2026-05-01T10:00:00Z"}
    return json.dumps({**about, "message": message})


def test_transcripts_are_searched_on_request_and_leave_no_trace(holdfast: Holdfast, workspace: Path, tmp_path: Path) -> None:
    """What was said to a host is found with `--transcripts` alone; secrets in it are masked and nothing of it is written down."""
    secret = "ghp_" + "a1B2c3D4e5" * 4
    project = tmp_path / "home" / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    (project / "s1.jsonl").write_text(said("user", f"the heron uses {secret}") + "\n" + said("assistant", "noted") + "\n")
    written(workspace, {"memory/a.md": "- the stork\n"})
    assert paths(holdfast, "heron") == []
    (hit,) = found(holdfast, "heron", "--transcripts")["results"]
    assert (hit["origin"], hit["start_line"], hit["date"]) == ("transcript", 1, "2026-05-01")
    assert secret not in hit["text"]
    assert "redacted" in hit["text"]
    assert all(b"heron" not in path.read_bytes() for path in workspace.rglob("*") if path.is_file())


# ---- fresh -------------------------------------------------------------------------------------------------------------


def test_a_persons_edit_is_found_by_the_next_search(holdfast: Holdfast, workspace: Path) -> None:
    """Also one that leaves size and moment of the file as they were."""
    written(workspace, {"memory/a.md": "- the heron\n"})
    path = workspace / "memory" / "a.md"
    assert paths(holdfast, "heron") == ["memory/a.md"]
    before = path.stat()
    path.write_text("- the egret\n")
    os.utime(path, ns=(before.st_mtime_ns, before.st_mtime_ns))
    assert paths(holdfast, "heron") == []
    assert paths(holdfast, "egret") == ["memory/a.md"]
    path.rename(workspace / "memory" / "b.md")
    assert paths(holdfast, "egret") == ["memory/b.md"]
    (workspace / "memory" / "b.md").unlink()
    assert paths(holdfast, "egret") == []


def test_an_edit_that_keeps_size_and_moment_is_found_in_a_settled_file(workspace: Path) -> None:
    """Tools that put the old moment back cannot put the moment of that change back too."""
    written(workspace, {"memory/a.md": "- the heron\n"})
    path, later = workspace / "memory" / "a.md", time.time() + 60
    assert recall.search(str(workspace), "heron", Config(), later).hits
    before = path.stat()
    time.sleep(0.02)
    path.write_text("- the egret\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert recall.search(str(workspace), "egret", Config(), later).hits


@pytest.mark.parametrize(("stamp", "seen"), [("1 1 12?", True), ("1 1 12", False)])
def test_a_file_written_just_now_is_read_again(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, stamp: str, seen: bool
) -> None:
    """A second edit within one tick of the clock leaves no trace in moment or size; only the question mark tells to look."""
    monkeypatch.setattr(index, "stamped", lambda *_: stamp)
    monkeypatch.setattr(tree, "stamped", lambda *_: stamp)
    written(workspace, {"memory/a.md": "- the heron\n"})
    assert recall.search(str(workspace), "heron", Config(), time.time()).hits
    written(workspace, {"memory/a.md": "- the egret\n"})
    assert bool(recall.search(str(workspace), "egret", Config(), time.time()).hits) is seen


def test_what_is_saved_is_found_by_the_next_search(holdfast: Holdfast) -> None:
    """Records and documents of one-line commands, one after another."""
    for number in range(5):
        holdfast("note", f"bird number{number} was seen")
        assert f"number{number}" in found(holdfast, f"number{number}")["results"][0]["text"]


def test_files_that_have_not_changed_are_not_read_again(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a file has settled, a search only looks at its moment and size."""
    written(workspace, {f"memory/{i}.md": f"- bird {i}\n" for i in range(5)})
    later = time.time() + 60
    index.up_to_date(str(workspace), Config(), later).close()
    read: list[str] = []
    content = tree.Tree.read
    monkeypatch.setattr(tree.Tree, "read", lambda files, path: read.append(path) or content(files, path))
    kept = (workspace / ".holdfast" / index.NAME).stat()
    recall.search(str(workspace), "bird", Config(), later + 60)
    assert read == []
    assert (workspace / ".holdfast" / index.NAME).stat().st_ino == kept.st_ino
    (workspace / "memory" / "3.md").write_text("- heron 3\n")
    recall.search(str(workspace), "bird", Config(), later + 60)
    assert [Path(path).name for path in read] == ["3.md"]


def same_length_and_moment(path: Path, text: str) -> None:
    before = path.stat()
    time.sleep(0.02)  # a tick of the clock, by which the moment of the change shows
    path.write_text(text)
    assert path.stat().st_size == before.st_size
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def the_record(workspace: Path) -> Path:
    (record,) = workspace.glob(".holdfast/journal/*/*.md")
    return record


CHANGES: dict[str, tuple[Callable[[Path], object], list[str], list[str]]] = {  # (the change, who has herons now, who has egrets)
    "nothing": (lambda w: None, ["memory/a.md", "memory/deep/b.md"], []),
    "edited": (lambda w: (w / "memory/a.md").write_text("- an egret, alone\n"), ["memory/deep/b.md"], ["memory/a.md"]),
    "edited below": (lambda w: (w / "memory/deep/b.md").write_text("- an egret\n"), ["memory/a.md"], ["memory/deep/b.md"]),
    "edited, with its length and moment put back": (
        lambda w: same_length_and_moment(w / "memory/a.md", "- the egret\n"), ["memory/deep/b.md"], ["memory/a.md"],
    ),
    "another in its place": (
        lambda w: (w / "memory/deep/b.md").replace(w / "memory/a.md"), ["memory/a.md"], [],
    ),
    "one more": (
        lambda w: written(w, {"memory/c.md": "- an egret\n"}), ["memory/a.md", "memory/deep/b.md"], ["memory/c.md"],
    ),
    "one more at the top": (
        lambda w: written(w, {"MEMORY.md": "- an egret\n"}), ["memory/a.md", "memory/deep/b.md"], ["MEMORY.md"],
    ),
    "one more in a new folder": (
        lambda w: written(w, {"memory/new/c.md": "- an egret\n"}), ["memory/a.md", "memory/deep/b.md"], ["memory/new/c.md"],
    ),
    "deleted": (lambda w: (w / "memory/a.md").unlink(), ["memory/deep/b.md"], []),
    "a folder deleted": (lambda w: shutil.rmtree(w / "memory/deep"), ["memory/a.md"], []),
    "moved": (
        lambda w: (w / "memory/a.md").rename(w / "memory/deep/a.md"), ["memory/deep/a.md", "memory/deep/b.md"], [],
    ),
    "a link in its place": (
        lambda w: ((w / "memory/a.md").rename(w / "a"), (w / "memory/a.md").symlink_to(w / "a")), ["memory/deep/b.md"], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_process_that_has_looked_before_finds_what_has_changed_since(change: str, workspace: Path) -> None:
    """A server looks before every answer, and compares what it saw with what it saw last."""
    do, herons, egrets = CHANGES[change]
    written(workspace, {"memory/a.md": "- the heron\n", "memory/deep/b.md": "- a heron\n"})
    later = time.time() + 60
    for _ in range(3):
        assert len(recall.search(str(workspace), "heron", Config(), later).hits) == 2
    do(workspace)
    for _ in range(2):
        for word, expected in (("heron", herons), ("egret", egrets)):
            hits = recall.search(str(workspace), word, Config(), later).hits
            assert sorted(path for hit in hits for path in (hit.path, *hit.also)) == sorted(expected), word


def test_a_process_that_has_looked_before_finds_records_that_came_and_went(holdfast: Holdfast, workspace: Path) -> None:
    """Also in a day of the journal that was as it had been, and in one that is looked into each time for what else is in it."""

    def records() -> int:
        hits = recall.search(str(workspace), "heron", Config(), later).hits
        return sum(path.startswith(".holdfast/") for hit in hits for path in (hit.path, *hit.also))

    holdfast("note", "the heron stands in the marsh")
    later = time.time() + 60
    assert [records() for _ in range(3)] == [1, 1, 1]
    record = the_record(workspace)
    away = record.rename(workspace / "away")
    assert [records() for _ in range(3)] == [0, 0, 0]
    away.rename(record)
    assert [records() for _ in range(3)] == [1, 1, 1]
    (record.parent / "stray.txt").write_text("not ours")
    assert [records() for _ in range(3)] == [1, 1, 1]
    record.write_text("torn")
    assert records() == 0


def test_files_that_are_as_they_were_are_not_compared_one_by_one(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the look finds what the index was made from, in whatever process; but not where a file is too new to be sure of, as
    it may also be because the clock went back.
    """
    written(workspace, {"memory/a.md": "- the heron\n"})
    compared: list[int] = []
    real = index.Changes._compared

    def counted(changes: index.Changes, *given: Any) -> None:
        compared.append(1)
        real(changes, *given)

    monkeypatch.setattr(index.Changes, "_compared", counted)
    now = time.time()
    too_new, settling, at_rest, earlier = (now, True), (now + 60, True), (now + 60, False), (now + 30, False)
    steps = [too_new] * 3 + [settling] + [at_rest] * 3 + [earlier] * 2 + [too_new] * 2 + [at_rest]
    for moment, expected in steps:
        compared.clear()
        index._held.clear()
        assert recall.search(str(workspace), "heron", Config(), moment).hits
        assert bool(compared) is expected


def test_a_change_that_came_too_soon_to_show_is_found_later(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is written twice in one moment of the disk's clock: every look finds the same, and the first is not trusted."""
    written(workspace, {"memory/a.md": "- the heron\n"})
    first, now = tree.Tree(str(workspace), Config()).look(), time.time()
    monkeypatch.setattr(tree.Tree, "look", lambda _: dict(first))
    assert recall.search(str(workspace), "heron", Config(), now).hits
    written(workspace, {"memory/a.md": "- the egret\n"})
    for moment in (now + 60, now + 120):
        assert recall.search(str(workspace), "egret", Config(), moment).hits
        assert not recall.search(str(workspace), "heron", Config(), moment).hits


def test_words_are_counted_file_by_file(workspace: Path) -> None:
    """In how many passages of each file a word stands; nothing where it stands nowhere."""
    written(workspace, {f"memory/{name}.md": "- a heron\n" * count + "- a stork\n" for name, count in (("a", 1), ("b", 3))})
    opened = index.up_to_date(str(workspace), Config(), time.time())
    known = opened.documents((1, 2))
    cases = {"heron": {"memory/a.md": 1, "memory/b.md": 3}, "stork": {"memory/a.md": 1, "memory/b.md": 1}, "egret": {}}
    for word, expected in cases.items():
        assert {known[file].path: count for file, count in opened.counted(f'"{word}"', asking.Wanted()).items()} == expected
    opened.close()


def test_pairs_that_stand_nowhere_are_left_out_and_change_no_score(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts once more, two words side by side or close, is asked for where it is there; the rest would add nothing."""
    written(workspace, {"memory/a.md": "- grey heron in the marsh\n\n- a heron, grey as slate\n\n- the marsh\n" * 3})
    opened = index.up_to_date(str(workspace), Config(), time.time())
    query = parsed("grey heron slate marsh pond")
    known = sorted((opened.count(forms[0], asking.Wanted()), forms[0]) for forms in query.words)
    known = [(count, word) for count, word in known if count]
    asked_for = recall._match(opened, known, query, asking.Wanted())
    monkeypatch.setattr(asking.Index, "count", lambda *_: 1)
    everything = recall._match(opened, known, query, asking.Wanted())
    assert '"grey heron"' in asked_for
    assert '"marsh pond"' not in asked_for
    assert '"marsh pond"' in everything
    assert opened.best(asked_for, asking.Wanted(), 50) == opened.best(everything, asking.Wanted(), 50)
    opened.close()


@given(st.text(st.characters(max_codepoint=127) | st.sampled_from("éÄß _-")))
def test_the_words_of_a_passage_are_the_same_by_either_way(text: str) -> None:
    """Those of ASCII are found among bytes, all others by an expression."""
    assert words_in(text) == {word.casefold() for word in re.findall(r"\w+", text)}


@given(st.sets(st.sampled_from("abcdefghijkl")), st.sets(st.sampled_from("abcdefghijkl")), st.sampled_from([0.5, 0.9, 1.0]))
def test_passages_say_the_same_by_the_share_of_their_common_words(one: set[str], other: set[str], alike: float) -> None:
    """Whether it is seen from their numbers alone or not."""
    assert hits._say_the_same(one, other, alike) == (len(one & other) >= alike * len(one | other))


def test_an_index_brought_up_to_date_answers_as_a_fresh_one(workspace: Path) -> None:
    """After additions, changes and deletions the hits are those of an index made in one go, score by score."""
    now = time.time() + 60
    for step in range(6):
        lines = [f"- bird {i} of step {step} in marsh {i % 3}" for i in range(step + 3)]
        written(workspace, {f"memory/{step}.md": "\n\n".join(lines)})
        if step % 2:
            (workspace / "memory" / f"{step - 1}.md").unlink()
        written(workspace, {"memory/always.md": f"# Marsh\n\n- step {step}\n\n- bird of the marsh\n"})
        recall.search(str(workspace), "bird", Config(), now + step)
    questions = ["bird", "marsh step", "bird 2 marsh 1", "step 5"]
    grown = [recall.search(str(workspace), question, Config(), now + 99) for question in questions]
    (workspace / ".holdfast" / index.NAME).unlink()
    assert grown == [recall.search(str(workspace), question, Config(), now + 99) for question in questions]


# ---- order and limits --------------------------------------------------------------------------------------------------


def test_a_large_first_build_is_not_joined_anew_with_every_few_changes(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FTS5 joins pieces of one level. Were the first build among them, one search in some hundred would rewrite all of it."""
    of_many_pieces(workspace, monkeypatch)
    (first,) = pieces(workspace, later := time.time() + 60)
    for change in range(120):
        written(workspace, a_leaf(change))
        now = pieces(workspace, later + change)
    assert first in now
    assert len(now) < 20  # nor is a question asked of a hundred of them
    assert_has_all(workspace, later + 999, leaves=120)


def test_a_first_build_joins_for_a_moment_and_later_changes_finish_it(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever searches a very large corpus first does not wait for its pieces to become one: they are joined with what comes
    later, and what is found is the same all the while.
    """
    of_many_pieces(workspace, monkeypatch)
    monkeypatch.setattr(index, "_JOINED", (("merge", -3), *index._JOINED[1:]))
    later = time.time() + 60
    assert len(pieces(workspace, later)) > 15
    assert_has_all(workspace, later, leaves=0)
    for change in range(100):
        written(workspace, a_leaf(change))
        now = pieces(workspace, later + change)
        if change % 9 == 0:
            assert_has_all(workspace, later + change, leaves=change + 1)
    assert len(now) < 10


def of_many_pieces(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace whose first build is of several pieces, as only a large one is."""
    less = re.sub(r"'hashsize', \d+", "'hashsize', 40000", index._SCHEMA)
    assert less != index._SCHEMA
    monkeypatch.setattr(index, "_SCHEMA", less)
    lines = {day: [f"- word{day * n} and word{n} meet\n" for n in range(40)] for day in range(60)}
    written(workspace, {f"memory/{day:03}.md": "".join(each) for day, each in lines.items()})


def a_leaf(change: int) -> dict[str, str]:
    """A small file that is new, of about a page of the index."""
    page = " ".join(f"leaf{change}of{n}" for n in range(90))
    return {f"memory/later-{change}.md": f"- a kettle, the {change}th\n- {page}\n"}


def pieces(workspace: Path, moment: float) -> list[tuple[int, int]]:
    """(number, pages) of the pieces that FTS5 has, of an index that is up to date."""
    opened = index.up_to_date(str(workspace), Config(), moment)
    rows = opened._db.execute("select segid, count(*) from passage_idx group by segid order by 2 desc").fetchall()
    opened.close()
    return rows


def assert_has_all(workspace: Path, moment: float, *, leaves: int) -> None:
    """The index has every passage of the first build and of what came later, and no other."""
    opened = index.up_to_date(str(workspace), Config(), moment)
    assert opened.count("kettle", asking.Wanted()) == leaves
    assert opened.count("x", asking.Wanted()) == 0  # the small pieces that raised it are gone
    assert opened.count("word59", asking.Wanted()) == sum(59 in (day * n, n) for day in range(60) for n in range(40))
    opened.close()


@pytest.mark.parametrize("better", ["the green build, a red door, a shed", "the green and quick build, a door"])
def test_words_that_stand_together_count_more(holdfast: Holdfast, workspace: Path, better: str) -> None:
    """Side by side, or close: the same words far apart come second."""
    written(workspace, {"memory/a.md": "- the green door, a shed, a red build\n", "memory/b.md": f"- {better}\n"})
    assert paths(holdfast, "green build")[0] == "memory/b.md"


def test_of_two_equals_the_newer_comes_first(holdfast: Holdfast, workspace: Path) -> None:
    """Recency decides between passages that answer alike."""
    days = [time.strftime("%Y-%m-%d", time.localtime(time.time() - ago * 86400)) for ago in (400, 2, 90)]
    written(workspace, {f"memory/{day}.md": f"- the heron came to pond {i}\n" for i, day in enumerate(days)})
    assert paths(holdfast, "heron") == [f"memory/{day}.md" for day in sorted(days, reverse=True)]


def test_one_talkative_file_does_not_crowd_the_others_out(holdfast: Holdfast, workspace: Path) -> None:
    """Twenty passages of one file leave room for the best of others."""
    talk = "\n".join(f"- the heron was seen at pond number {i} in the morning" for i in range(20))
    others = {f"memory/{i}.md": f"- a heron, once, near village {i} and its {i} barns\n" for i in range(4)}
    written(workspace, {"memory/talk.md": talk, **others})
    assert len(set(paths(holdfast, "heron", "--limit", "8"))) == 5


@pytest.mark.parametrize(("flags", "lines"), [
    ((), {3, 4, 5}), (("--type", "PREF"), {3}), (("--type", "lesson"), {4}), (("--since", "2026-06-01"), {5}),
    (("--limit", "1"), None),
])  # fmt: skip
def test_filters_keep_what_is_asked_for(
    holdfast: Holdfast, workspace: Path, flags: tuple[str, ...], lines: set[int] | None
) -> None:
    """By note type and by day; a limit limits."""
    text = "# 2026-01-01\n\n- [PREF] heron one\n- [LESSON] heron two\n- 2026-07-01: heron three\n"
    written(workspace, {"memory/2026-01-01.md": text})
    hits = found(holdfast, "heron", *flags)["results"]
    assert len(hits) == 1 if lines is None else {hit["start_line"] for hit in hits} == lines


def test_a_topic_is_searched_alone(holdfast: Holdfast, workspace: Path) -> None:
    """Its file and its records, and nothing else."""
    written(workspace, {"memory/context-big-shop.md": "# Big Shop\n\n- the heron\n", "memory/context-other.md": "- the heron\n"})
    assert paths(holdfast, "heron", "--topic", "Big Shop") == ["memory/context-big-shop.md"]


# ---- nothing found -----------------------------------------------------------------------------------------------------


def test_a_folder_that_is_not_there_has_nothing_to_search_and_no_index_to_miss(tmp_path: Path) -> None:
    """One sentence: that there is nothing yet."""
    note = recall.search(str(tmp_path / "none"), "heron", Config(), time.time()).note
    assert note.startswith("There is nothing to search yet")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("files", "query", "flags", "why"),
    [
        ({}, "heron", (), "nothing to search yet"),
        ({"memory/a.md": "- stork\n"}, "qqqqq", (), "any of these words: qqqqq (1 passages in 1 files)"),
        ({"memory/a.md": "- stork\n"}, "?!", (), "no word in it"),
        ({"memory/2026-01-01.md": "- stork\n"}, "stork", ("--since", "2026-02-01"), "none within --since 2026-02-01"),
        ({"memory/a.md": "- stork\n"}, "stork", ("--type", "PREF"), "none within --type PREF"),
    ],
)
def test_an_empty_answer_says_why(
    holdfast: Holdfast, workspace: Path, files: dict[str, str], query: str, flags: tuple[str, ...], why: str
) -> None:
    """Exit 0, no results, and one sentence, for people and in JSON."""
    written(workspace, files)
    data = found(holdfast, query, *flags)
    assert data["results"] == []
    assert why in data["note"]
    assert why in holdfast("search", *flags, "--", query).out


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("search",), "what to look for"),
        (("search", "x", "--limit", "0"), "whole number from 1"),
        (("search", "x", "--type", "FISH"), "PREF, PROJ"),
        (("search", "x", "--since", "soon"), "--since takes a day"),
        (("search", "x", "--since", "2026-02-31"), "--since takes a day"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_one_sentence(holdfast: Holdfast, argv: tuple[str, ...], says: str) -> None:
    """Exit 2, and what to do."""
    answer = holdfast(*argv)
    assert answer.code == 2
    assert says in answer.err


# ---- hostile input -----------------------------------------------------------------------------------------------------


@tries(150)
@given(st.text(alphabet=st.characters(), max_size=60) | st.sampled_from(
    ['"', '""', 'a" OR "b', "NEAR(a b)", "text : a", "a*", "(", "-", "\0", "a\0b", "^a", "\ud800", "𠮷" * 9]
))  # fmt: skip
def test_any_text_is_a_question(query: str) -> None:
    """No query text raises, whatever FTS5 would make of it."""
    with recalled({"memory/a.md": "- a heron and b stork\n\n- 全文\n"}) as workspace:
        recall.search(workspace, query, Config(), time.time())


@pytest.mark.parametrize(
    "query", ["heron stork " * 5000, "a全文b " * 3000, '"' + "heron stork " * 400 + '"', "x_y" * 9999, "\n" * 9999, "全" * 9999]
)
def test_a_question_of_any_length_is_answered(query: str) -> None:
    """A whole pasted page is a question too: its rarest words are looked for."""
    with recalled({"memory/a.md": "- a heron and b stork\n\n- 全文\n"}) as workspace:
        recall.search(workspace, query, Config(), time.time())
        words = " ".join(f"word{i} other{i}" for i in range(3000))
        assert recall.search(workspace, f"{words} heron", Config(), time.time()).hits


class recalled:  # noqa: N801 - reads as what it is
    """A workspace for one hypothesis example; they may not share a fixture of pytest's."""

    made: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def __enter__(self) -> str:
        import tempfile

        if "here" not in self.made:
            self.made["here"] = tempfile.mkdtemp()
            written(Path(self.made["here"]), self.files)
        return self.made["here"]

    def __exit__(self, *_: object) -> None: ...


@tries(200)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300) | st.lists(st.sampled_from(
    ["# A", "## B", "- x", "  - y", "```", "~~~", "", "---", "1. z", "| a |", "<!-- c -->", "#tags: q", "text", "\t", "x" * 2500]
), max_size=12).map("\n".join))  # fmt: skip
def test_passages_tell_their_lines_rightly(text: str) -> None:
    """Every passage stands in the lines that it names, in order, and no word of the text is in none of them."""
    lines, last, kept = text.split("\n"), 0, []
    for passage in passages(text):
        assert 1 <= passage.first <= passage.last <= len(lines)
        assert passage.first >= last
        last = passage.last
        assert passage.text.strip() in "\n".join(lines[passage.first - 1 : passage.last])
        kept.append(f"{passage.heading} {passage.text}")
    assert {word for word in text.split() if word.isalnum()} <= set(" ".join(kept).replace(">", " ").split()) | {"x" * 2500}
    assert isinstance(parts(text), str)


def test_odd_files_stop_no_search(holdfast: Holdfast, workspace: Path) -> None:
    """Binary, invalid UTF-8, a line of 10 MB, a folder and a FIFO in place of files, an odd name: the rest is found."""
    written(workspace, {"memory/good.md": "- the heron\n", "memory/long.md": "egret " * 1_700_000 + "kingfisher\n"})
    memory = workspace / "memory"
    (memory / "binary.md").write_bytes(b"\0\1\2 heron")
    (memory / "latin.md").write_bytes("- die Dohle h\xf6rt\n".encode("latin-1"))
    (memory / "folder.md").mkdir()
    (memory / "folder.md" / "inner.md").write_text("- the bittern\n")
    os.mkfifo(memory / "pipe.md")
    (memory / os.fsdecode(b"odd\xff\n.md")).write_text("- the plover\n")
    assert paths(holdfast, "heron") == ["memory/good.md"]
    assert paths(holdfast, "kingfisher") == ["memory/long.md"]
    assert paths(holdfast, "dohle") == ["memory/latin.md"]
    assert paths(holdfast, "bittern") == ["memory/folder.md/inner.md"]
    assert len(paths(holdfast, "plover")) == 1
    assert "memory/binary.md (it is not text)" in found(holdfast, "heron")["note"]
    assert holdfast("search", "plover").code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_named(holdfast: Holdfast, workspace: Path) -> None:
    """The rest is searched."""
    written(workspace, {"memory/a.md": "- the heron\n", "memory/b.md": "- the heron\n"})
    (workspace / "memory" / "b.md").chmod(0)
    data = found(holdfast, "heron")
    assert [hit["path"] for hit in data["results"]] == ["memory/a.md"]
    assert "memory/b.md (permission was denied)" in data["note"]


@pytest.mark.parametrize(
    ("words_before", "words_behind", "question"),
    [(0, 300, "heron"), (150, 150, "heron"), (300, 0, "heron"), (150, 150, "herons"), (150, 150, "the Heron pond")],
)
def test_the_word_that_was_asked_for_is_in_sight(
    words_before: int, words_behind: int, question: str, holdfast: Holdfast, workspace: Path
) -> None:
    """A passage of many lines is cut for the terminal where the word stands, and says at which end there is more."""
    written(workspace, {"memory/a.md": "- " + "reed " * words_before + "a heron stood there " + "pond " * words_behind + "\n"})
    shown = holdfast("search", question).out.split("\n")[1].strip()
    assert "heron" in shown
    assert len(shown) <= 242
    assert (shown.startswith("…"), shown.endswith("…")) == (words_before > 0, words_behind > 0)


def test_a_terminal_gets_no_control_characters(holdfast: Holdfast, workspace: Path) -> None:
    """Escape sequences in a document do not reach the screen."""
    written(workspace, {"memory/a.md": "- the \x1b[31mheron\x1b[0m\x07\n"})
    out = holdfast("search", "heron").out
    assert "heron" in out
    assert "\x1b" not in out
    assert "\x07" not in out


# ---- tags --------------------------------------------------------------------------------------------------------------


def test_tags_are_listed_with_their_files(holdfast: Holdfast, workspace: Path) -> None:
    """From line 2, where plain grep finds them too; one tag alone on request."""
    written(workspace, {"memory/semantic/a.md": "# A\n#tags: infra, db\n\ntext\n", "memory/c.md": "# C\n"})
    written(workspace, {"memory/procedural/b.md": "# B\n#tags: db\n"})
    everything = {"db": ["memory/procedural/b.md", "memory/semantic/a.md"], "infra": ["memory/semantic/a.md"]}
    assert json.loads(holdfast("tags", "--json").out) == {"tags": everything}
    for asked in ("#db", "DB"):
        assert json.loads(holdfast("tags", "--json", asked).out) == {"tags": {"db": everything["db"]}}
    assert holdfast("tags").out.splitlines() == [f"{tag}  {', '.join(files)}" for tag, files in everything.items()]
    grep = subprocess.run(["grep", "-rl", "#tags:.*db", "memory"], cwd=workspace, capture_output=True, text=True, check=True)
    assert sorted(grep.stdout.split()) == everything["db"]


def test_no_tags_say_so(holdfast: Holdfast, workspace: Path) -> None:
    """And how to give a file some."""
    written(workspace, {"memory/c.md": "# C\n"})
    assert "#tags:" in holdfast("tags").out
    assert holdfast("tags", "nope").out == "No file has the tag nope.\n"


# ---- from a program ----------------------------------------------------------------------------------------------------


def test_memory_recalls(workspace: Path) -> None:
    """The façade gives the same hits as the command, for whoever builds on it."""
    written(workspace, {"memory/a.md": "- [PREF] the heron\n\n- the heron too\n"})
    memory = Memory(str(workspace), Config(), write=False)
    assert [hit.start_line for hit in memory.recall("heron", kind="PREF").hits] == [1]
    assert len(memory.recall("heron").hits) == 2
    memory.close()


# ---- by meaning --------------------------------------------------------------------------------------------------------

BIRDS = {
    "memory/a.md": "# Log\n\n- She found employment at the hospital as a physician\n",
    "memory/b.md": "# Log\n\n- The job queue was drained before the new release\n",
    "memory/c.md": "# Log\n\n- The garden needs water on Sundays\n",
}


@pytest.fixture
def vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the package for vectors, which `make` installs apart from the rest."""
    folder = Path(sys.prefix) / "vectors"
    if not (folder / "wordllama").is_dir():
        pytest.skip("the package for vectors (wordllama) is not installed")
    monkeypatch.syspath_prepend(str(folder))
    assert recall._vectors()


def test_what_is_near_in_meaning_is_a_second_opinion(
    workspace: Path, vectors: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two passages that have the same word of the question, the one that is meant comes first; by letters they are equal."""
    written(workspace, {"memory/a.md": "- The hospital car park was paved\n"})
    written(workspace, {"memory/b.md": "- The hospital sick ward was opened\n"})
    asked = "hospital patients and nurses"
    assert recall.search(str(workspace), asked, Config(), time.time()).hits[0].path == "memory/b.md"
    monkeypatch.setattr(recall, "_vectors", lambda: "")
    assert recall.search(str(workspace), asked, Config(), time.time()).hits[0].path == "memory/a.md"


@pytest.mark.parametrize(
    ("note", "asked"), [("She has worked at the bakery since spring", "Anna job"), ("The coast was lovely in July", "Anna beach")]
)
def test_what_has_other_words_for_it_is_found_by_its_meaning(
    workspace: Path, vectors: None, monkeypatch: pytest.MonkeyPatch, note: str, asked: str
) -> None:
    """Words near in meaning lead to a passage that has none of the question's own; without them it is not found at all."""
    others = {f"memory/{i}.md": f"- Anna said that the {word} was fine\n" for i, word in enumerate(["soup", "hall", "film"])}
    written(workspace, {**others, "memory/z.md": f"- {note}\n"})
    assert "memory/z.md" in [hit.path for hit in recall.search(str(workspace), asked, Config(), time.time()).hits]
    monkeypatch.setattr(recall, "_vectors", lambda: "")
    assert "memory/z.md" not in [hit.path for hit in recall.search(str(workspace), asked, Config(), time.time()).hits]


def test_a_vectors_package_that_cannot_be_used_changes_nothing(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package of another make, or half of one: the words alone decide, as without it."""
    written(workspace, BIRDS)
    before = recall.search(str(workspace), "job garden", Config(), 1e9)
    (tmp_path / "wordllama" / "weights").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr("holdfast.recall.vectors._loaded", [])
    assert recall._vectors()
    after = recall.search(str(workspace), "job garden", Config(), 1e9)
    assert [hit.path for hit in after.hits] == [hit.path for hit in before.hits]


def test_under_a_small_memory_limit_the_words_alone_decide_and_it_is_said(
    workspace: Path, tmp_path: Path
) -> None:
    """The numbers' package ends the whole process there, as BLAS does, so it must not even be loaded."""
    written(workspace, BIRDS)
    package = tmp_path / "packages"
    (package / "wordllama" / "weights").mkdir(parents=True)
    (package / "wordllama" / "weights" / "l2_supercat_256.safetensors").write_bytes(bytes(8))
    (package / "wordllama" / "tokenizers").mkdir()
    (package / "wordllama" / "tokenizers" / "l2_supercat_tokenizer_config.json").write_text("{}")
    (package / "numpy.py").write_text("import os\nos._exit(134)\n")
    run = f"ulimit -v {192 << 10}; exec {sys.executable} -m holdfast --workspace {workspace} search job garden"
    source = str(Path(recall.__file__).parent.parent.parent)
    env = {**os.environ, "PYTHONPATH": f"{source}:{package}"}
    done = subprocess.run(["sh", "-c", run], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "memory/b.md" in done.stdout
    assert "Judged by words alone, not by meaning: this process may use 192 MB of memory" in done.stdout


# ---- lean --------------------------------------------------------------------------------------------------------------


def test_a_search_loads_no_more_than_it_needs(workspace: Path) -> None:
    """What costs more than it gives stays out: the writing half of Memory, and what only a changed file needs."""
    written(workspace, {"memory/a.md": "- the heron\n"})
    index.up_to_date(str(workspace), Config(), time.time() + 60).close()
    heavy = ("json", "argparse", "pathlib", "dataclasses", "hashlib", "subprocess", "tomllib", "numpy", "holdfast.memory",
             "holdfast.documents.markdown", "holdfast.recall.passages", "holdfast.commands.other", "_strptime")  # fmt: skip
    program = (
        "import sys; from holdfast.cli import main; code = main(sys.argv[1:]);"
        f"print([m for m in {heavy!r} if m in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, "--workspace", str(workspace), "search", "heron"],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(Path(index.__file__).parents[2])},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"


# ---- quality -----------------------------------------------------------------------------------------------------------


def asked(workspace: Path, pairs: list[tuple[str, set[str]]], what: str) -> tuple[int, int]:
    """How many questions have a right answer first, and among the first five; an answer is a text or a path."""
    opened = index.up_to_date(str(workspace), Config(), time.time())
    first = five = 0
    for question, right in pairs:
        hits = recall.answered(opened, question, asking.Wanted(), 10, time.time()).hits
        found_ = list(dict.fromkeys(getattr(hit, what) for hit in hits))
        first += bool(right & set(found_[:1]))
        five += bool(right & set(found_[:5]))
    opened.close()
    print(f"{len(pairs)} questions, hit@1 {first / len(pairs):.3f} hit@5 {five / len(pairs):.3f}")
    return first, five


def chinese(workspace: Path) -> list[tuple[str, set[str]]]:
    """Two hundred notes, ten a day, and as many questions in other words."""
    pairs = [line.split("\t") for line in (Path(__file__).parent / "data" / "chinese.tsv").read_text().splitlines()]
    assert len({note for note, _ in pairs}) == 200
    for day in range(20):
        lines = [f"- {note}" for note, _ in pairs[10 * day : 10 * day + 10]]
        written(workspace, {f"memory/2026-01-{day + 1:02}.md": "\n".join(["# Day", "", *lines]) + "\n"})
    return [(question, {f"- {note}"}) for note, question in pairs]


def test_chinese_questions_find_their_notes(workspace: Path) -> None:
    """At least nine in ten are among the first five hits."""
    pairs = chinese(workspace)
    assert asked(workspace, pairs, "text")[1] >= 0.9 * len(pairs)


def test_vectors_make_nothing_worse_in_chinese(workspace: Path, vectors: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many first hits and as many among the first five, or more."""
    pairs = chinese(workspace)
    with_vectors = asked(workspace, pairs, "text")
    monkeypatch.setattr(recall, "_vectors", lambda: "")
    without = asked(workspace, pairs, "text")
    assert with_vectors[0] >= without[0]
    assert with_vectors[1] >= without[1]


LOCOMO = Path(__file__).parents[2] / "shared" / "data" / "locomo" / "locomo_dev5.json"


@pytest.mark.skipif(not LOCOMO.exists(), reason="LoCoMo's conversations are not on this machine")
def test_vectors_make_nothing_worse_in_conversations(
    tmp_path: Path, vectors: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of LoCoMo's long conversations: as many sessions found first and among the first five, or more."""
    monkeypatch.syspath_prepend(str(LOCOMO.parents[2] / "bench"))
    locomo = importlib.import_module("locomo")
    totals = {True: [0, 0], False: [0, 0]}
    for number, item in enumerate(json.loads(LOCOMO.read_text())[:2]):
        where = locomo.workspace(item["conversation"], tmp_path / str(number))
        gold = [(qa["question"], {where[e] for e in qa.get("evidence") or [] if e in where}) for qa in item["qa"]]
        for with_vectors in (True, False):
            with monkeypatch.context() as patch:
                if not with_vectors:
                    patch.setattr(recall, "_vectors", lambda: "")
                found_ = asked(tmp_path / str(number), [pair for pair in gold if pair[1]], "path")
            totals[with_vectors] = [a + b for a, b in zip(totals[with_vectors], found_, strict=True)]
    assert totals[True][0] >= totals[False][0]
    assert totals[True][1] >= totals[False][1]


def test_days_of_the_journal_that_are_as_they_were_cost_nothing(holdfast: Holdfast, workspace: Path) -> None:
    """Their records are not even fetched, and one that goes is missed all the same: ten thousand notes are as many records."""
    from holdfast.recall.index import Changes, _believed, up_to_date

    record = [holdfast("note", f"note {number}").id for number in range(3)][-1]
    later = time.time() + 60  # when what was written now is known to be at rest
    up_to_date(str(workspace), Config(), later).close()
    kept = _believed(str(workspace))
    assert kept
    changes = Changes(str(workspace), Config(), kept, later)
    assert not changes
    assert [path for path in changes._known if path.startswith(".holdfast/")] == []
    (gone,) = workspace.glob(f".holdfast/journal/*/{record}.md")
    gone.unlink()
    changes = Changes(str(workspace), Config(), kept, later)
    assert len(changes.gone) == 1
    assert len([path for path in changes._known if path.startswith(".holdfast/")]) == 3
    kept.close()


def test_what_follows_a_snapshot_is_no_part_of_it(holdfast: Holdfast) -> None:
    """A note that is saved after a checkpoint stands below the day, not below the snapshot's last heading."""
    holdfast("checkpoint", "--task", "mend the parser")
    holdfast("note", "the wombat lives on port 9")
    hits = json.loads(holdfast("search", "wombat", "--json").out)["results"]
    assert [hit["heading"] for hit in hits if hit["path"].startswith("memory/2")] == [hits[0]["path"][7:17]]
    inside = json.loads(holdfast("search", "mend parser", "--json").out)["results"]
    assert any("Task Snapshot" in hit["heading"] for hit in inside)


@pytest.mark.parametrize(
    ("asked", "nowhere", "answer"),
    [
        ("next steps", ("none",), "1. measure the pool"),  # the same section of two checkpoints: one has nothing in it
        ("what is blocked", ("- Blocked: no",), "- Blocked: yes -- the vendor is silent"),
        ("decisions in flight", ("none",), "- SQLite or files"),
        ("read the end of the transcript", ("3. Read the end of the session's transcript",), "- [ ] read the end of the novel"),
        ("pre-compaction capture written automatically", ("This file is a pre-compaction snapshot",), ""),
    ],
)
def test_what_our_own_files_say_where_nobody_has_said_anything_is_no_answer(
    holdfast: Holdfast, asked: str, nowhere: tuple[str, ...], answer: str
) -> None:
    """A section without content and the fixed sentences of a file that we made answer nothing: what has content is found."""
    holdfast("checkpoint", "--task", "the pool", "--next", "measure the pool", "--in-flight", "SQLite or files")
    holdfast("checkpoint", "--blocked", "the vendor is silent", "--topic", "pools")
    holdfast("checkpoint", "--next", "none", "--in-flight", "none", "--blocked", "no")
    holdfast("pending", "read the end of the novel")
    texts = [hit["text"] for hit in found(holdfast, asked)["results"]]
    assert not [text for text in texts if text.startswith(nowhere)]
    assert answer in texts or not answer, texts


def test_a_person_who_writes_none_below_a_heading_of_their_own_is_found(holdfast: Holdfast, workspace: Path) -> None:
    """What a person has said in two words is an answer: their headings are not our sections."""
    written(workspace, {"MEMORY.md": "# Ann\n\n## Allergies\nnone\n", "memory/2026-11-02.md": "# A day\n\n## Pets\nnone\n"})
    assert paths(holdfast, "allergies") == ["MEMORY.md"]
    assert paths(holdfast, "pets") == ["memory/2026-11-02.md"]


def test_of_a_long_file_the_best_passage_is_shown(holdfast: Holdfast, workspace: Path) -> None:
    """Not the first of many that have the word too: whoever asks for one hit gets the one that is about it."""
    about = "On day {} somebody saw a heron, and a good many other things besides that are of no interest to anybody here."
    parts = [f"## Part {n}\n\n{about.format(n)}\n" for n in range(15)]
    parts[9] = "## Heron\n\nheron heron heron: nests\n"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "memory/birds.md").write_text("# Birds\n\n" + "\n".join(parts))
    for limit in ("1", "3"):
        assert found(holdfast, "heron", "--limit", limit)["results"][0]["heading"] == "Birds > Heron"


def test_an_index_that_lacks_a_little_is_brought_up_to_date_and_not_made_anew(holdfast: Holdfast, workspace: Path) -> None:
    """After each note: the same file, so that a search in a large workspace never waits for all of it to be written again."""
    holdfast("note", "the heron is grey")
    assert paths(holdfast, "heron")
    index = workspace / ".holdfast/index.sqlite"
    made = index.stat().st_ino
    for number in range(3):
        holdfast("note", f"egret number {number} is white")
        assert any(f"number {number}" in hit["text"] for hit in found(holdfast, f"egret number {number}")["results"])
        assert index.stat().st_ino == made


@pytest.mark.parametrize(("word", "there"), [("Pufferfish", "the buffer holds 80 lines"), ("waterfall", "the waiter is late")])
def test_another_word_is_not_taken_for_one_that_is_misspelt(holdfast: Holdfast, word: str, there: str) -> None:
    """What follows a stem may be an ending, but no second word: nothing is found, and that is said."""
    holdfast("note", there)
    answer = holdfast("search", word)
    assert "these have" not in answer.out + answer.err
    assert there not in answer.out
