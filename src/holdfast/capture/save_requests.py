"""Whether a person asks to save the working state: “checkpoint”, “save a snapshot”, “存一下”, `/big-memory save`.

Every prompt is looked at, so nothing here compiles an expression. A request is a clause that says this and nothing else, apart
from polite and small words: “add a checkpoint to the training loop” and “把文件存一下” are work, not requests to us.
"""

from __future__ import annotations

from .hearing import spoken

_LOOKED_AT = 600  # characters of a prompt
_COMMANDS = ("/holdfast", "/big-memory", "/big_memory", "/bigmemory")
_ENDS = str.maketrans(dict.fromkeys(".;!?。；！？…\r", "\n"))
_PAUSES = str.maketrans(dict.fromkeys(",:，：、", "\n"))
_THEN = (
    " and then ", " then ", " und dann ", " dann ", " et puis ", " puis ", " y luego ", " luego ", " e poi ", " а потом ",
    "然后", "之后",
)  # fmt: skip
_AND = (" and ", " und ", " et ", " y ", " e ", " и ")
_QUOTES = "\"'`“”„«»‘’「」『』{}[]()"
# Words that may stand in any list: alone they are a request only as a sentence of their own.
_NOUNS = frozenset((
    "checkpoint", "snapshot", "чекпоинт", "快照", "检查点", "檢查點", "チェックポイント", "スナップショット", "체크포인트",
    "스냅샷",
))  # fmt: skip
_SMALL = frozenset(
    """please pls ok okay now first quick quickly let's lets can could would will you us just a an the this your our my me here
    right so also yes yeah hey thanks thank i want to it bitte mal jetzt kurz den die das der ein einen eine le la les un une
    l'état s'il te vous plaît el los por favor lo il per favore o um uma пожалуйста сейчас""".split()  # noqa: SIM905
)
_WHAT = ("", "checkpoint", "snapshot", "memory snapshot", "task snapshot")
_STATE = ("context", "state", "session", "session state", "working state", "progress", "memory", "conversation", "work")
_OF = ("", "of", "of where we are", "of everything", "before we go on", "before we continue", "before continuing", "in memory")
_SAID = frozenset(
    [f"{verb} {what}" for verb in ("save", "take", "make", "create", "write", "do") for what in _WHAT if what]
    + [f"{verb} {what}" for verb in ("save", "checkpoint", "snapshot") for what in _STATE]
    + """checkpoint|snapshot|big memory save|holdfast save|save where we are|stand speichern|speicher stand|speichere stand|
    zwischenstand speichern|sichere stand|mach checkpoint|checkpoint machen|snapshot speichern|kontext speichern|
    speicher kontext|speichere kontext|sauvegarde contexte|sauvegarde etat|sauvegarde l'etat|fais sauvegarde|fais checkpoint|
    guarda contexto|guarda estado|guarda progreso|haz checkpoint|guarda snapshot|salva contexto|salve contexto|salva estado|
    faz checkpoint|salva contesto|salva stato|fai checkpoint|сохрани контекст|сохрани состояние|сохрани прогресс|
    сделай снимок|чекпоинт|сделай чекпоинт""".replace("\n", "").split("|")
)
_VERBS = ("存一下", "保存一下", "记录一下", "存下", "保存", "存", "记录", "儲存", "儲存一下", "記錄一下")
_THINGS = ("上下文", "进度", "進度", "状态", "狀態", "快照", "检查点", "檢查點", "会话", "會話", "对话", "對話", "记忆", "記憶")
_UNSPACED = frozenset(
    [f"{verb}{now}{thing}" for verb in _VERBS for now in ("", "当前", "目前", "现在的") for thing in _THINGS]
    + [f"{now}{thing}{verb}" for verb in _VERBS if "一下" in verb for now in ("", "当前", "目前", "现在的") for thing in _THINGS]
    + """存一下 存下 存个档 存檔 存档 存一下档 保存一下 儲存一下 快照 检查点 檢查點 做个快照 打个快照 存个快照 建个快照
    打个检查点 做个检查点
    チェックポイント スナップショット チェックポイントを保存 スナップショットを保存 保存しておいて コンテキストを保存 状態を保存
    체크포인트 스냅샷 스냅샷저장 체크포인트저장 저장해줘 상태저장""".split()  # noqa: SIM905
)
_BEFORE = (
    "请", "請", "帮我", "幫我", "麻烦", "麻煩", "先", "你", "现在", "現在", "那", "好的", "好", "可以", "把", "给我",
    "ちょっと",
)  # fmt: skip
_BEHIND = (  # the longer ones first
    "してください", "해주세요", "ください", "谢谢", "謝謝", "好吗", "好嗎", "して", "해줘", "吧", "哦", "啊", "呗", "吗", "嗎",
)  # fmt: skip


def asks_to_save(text: str) -> bool:
    """Whether somebody asks, among other things, to save the working state."""
    if _is_command(text):
        return True
    for part in _parts(text):
        said = [clause for clause in _clauses(part) if _words(clause)]
        for clause in said:
            if not _is_quoted(clause) and _is_request(clause) and (len(said) == 1 or not _is_noun(clause)):
                return True
    return False


def only_asks_to_save(text: str) -> bool:
    """Whether somebody asks to save, and for nothing else: that is no task, and no answer to a question."""
    if _is_command(text):
        return True
    clauses = [clause for part in _parts(text) for clause in _clauses(part) if _words(clause)]
    return len(text) <= _LOOKED_AT and asks_to_save(text) and all(map(_is_request, clauses))


def named_topic(text: str) -> str:
    """The topic that a slash command names: `/holdfast save ledger`."""
    return " ".join(text[:200].split()[2:]) if _is_command(text) else ""


def _is_command(text: str) -> bool:
    """Whether it is the slash command, as a person types it; in some channels with the bot's name: `/holdfast@bot save`."""
    words = text[:200].split()
    return len(words) > 1 and words[0].partition("@")[0].lower() in _COMMANDS and words[1].lower() == "save"


def _parts(text: str) -> list[str]:
    """Sentences, and what is to be done one after the other in them."""
    text = text[:_LOOKED_AT].translate(_ENDS)
    for word in _THEN:
        text = text.replace(word, "\n")
    return text.split("\n")


def _clauses(part: str) -> list[str]:
    part = part.translate(_PAUSES)
    for word in _AND:
        part = part.replace(word, "\n")
    return part.split("\n")


def _is_quoted(clause: str) -> bool:
    """Whether somebody only names it: `"checkpoint"` in a list, or in JSON."""
    bare = clause.strip()
    return bare[:1] in _QUOTES or bare[-1:] in _QUOTES


def _is_noun(clause: str) -> bool:
    return "".join(_words(clause)) in _NOUNS


def _words(clause: str) -> list[str]:
    return [word for word in spoken(clause).split() if word not in _SMALL]


def _is_request(clause: str) -> bool:
    words = _words(clause)
    if not 0 < len(words) < 10:
        return False
    said = " ".join(words)
    if any(said.removesuffix(end).rstrip() in _SAID for end in _OF):
        return True
    return not said.isascii() and _bare(said.replace(" ", "")) in _UNSPACED


def _bare(said: str) -> str:
    """A request of a script without spaces, without polite words before and behind it."""
    for _ in range(3):
        said = next((said.removeprefix(word) for word in _BEFORE if said.startswith(word)), said)
        said = next((said.removesuffix(word) for word in _BEHIND if said.endswith(word)), said)
    return said
