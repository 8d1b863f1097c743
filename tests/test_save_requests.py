"""Who asks to save, told by their words: a request of its own, and not work on checkpoints."""

from __future__ import annotations

import pytest

from holdfast.capture.save_requests import asks_to_save, named_topic, only_asks_to_save

ONLY = [
    "checkpoint", "Checkpoint!", "checkpoint please", "ok, checkpoint", "save snapshot", "Save a snapshot.", "save context",
    "please save a snapshot of where we are", "save the context now", "Can you take a snapshot before we go on?",
    "存一下", "帮我存一下吧", "把当前进度存一下", "保存快照", "big-memory save", "/big-memory save", "/holdfast save ledger",
    "/holdfast@bot save", "mach einen Checkpoint bitte", "speicher bitte den Stand", "сохрани контекст",
    "スナップショットを保存して", "체크포인트 저장해줘",
]  # fmt: skip
AMONG_OTHERS = [
    "save our progress and then run the tests", "checkpoint, then go on with the export", "先存一下，然后继续",
    "The tests pass. Checkpoint. Now the docs.", "run the tests and save a snapshot",
]  # fmt: skip
WORK = [
    "add a checkpoint to the training loop", "save the file", "把文件存一下", "load the checkpoint from disk", "do it",
    "the snapshot test fails", "save the context manager class", "what does checkpoint mean?", "/holdfast recall save",
    "checkpoint 500 is broken", "save it", "存在一个问题", "write the work order", "save work order 5", "hello", "",
    'CALL: context_snap {"action": "checkpoint", "topic": "lamp"}', 'name the buttons "save snapshot", "checkpoint" and "list"',
    "explain snapshot and checkpoint", "the three words are: snapshot, checkpoint, restore", "save state to state.json",
]  # fmt: skip


@pytest.mark.parametrize("text", [*ONLY, *AMONG_OTHERS])
def test_a_request_to_save_is_heard(text: str) -> None:
    """In several languages, politely or not, alone or beside other work."""
    assert asks_to_save(text)
    assert only_asks_to_save(text) == (text in ONLY)


@pytest.mark.parametrize("text", WORK)
def test_work_on_checkpoints_is_none(text: str) -> None:
    """Nor is a word that is only named."""
    assert not asks_to_save(text)
    assert not only_asks_to_save(text)


def test_the_command_may_name_a_topic() -> None:
    """Prompts in other words name none."""
    assert named_topic("/holdfast save the ledger") == "the ledger"
    assert named_topic("save snapshot of the ledger") == ""
