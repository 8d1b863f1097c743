"""Days as people name them: “15 November”, “by Friday”, “end of the month”, “下周三”, as a date where it can be told.

A day that counts from another (“tomorrow”, “in two weeks”) has a date only where the day on which it was said is known, and one
without its year is the next to come. What is no day (31 February) is none.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reading = Callable[[re.Match[str], date | None], date | None]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_ABROAD = (  # the months elsewhere, as a date names them
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "januari februari maret april mei juni juli agustus september oktober november desember",
)
_MONTHS_ABROAD = {name: number for row in _ABROAD for number, name in enumerate(row.split(), 1)}
_DAYS_ABROAD = {
    name: number
    for row in (
        "montag dienstag mittwoch donnerstag freitag samstag sonntag", "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lunes martes miércoles jueves viernes sábado domingo", "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "poniedziałku wtorku środy czwartku piątku soboty niedzieli",
        "понедельника вторника среды четверга пятницы субботы воскресенья",
        "понеділка вівторка середи четверга п'ятниці суботи неділі", "月曜 火曜 水曜 木曜 金曜 土曜 日曜",
        "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
    )
    for number, name in enumerate(row.split())
}  # fmt: skip
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "日": 7, "天": 7}
_ENDS = {"周末": "week", "本周内": "week", "月底": "month", "年底": "year", "季度末": "quarter"}


def days_in(text: str, said: str = "") -> Iterator[tuple[int, int, str]]:
    """(begin, end, date) of every day that a text names; the date is empty where it cannot be told."""
    today = _day(said)
    taken = 0
    for match, reading in sorted(_found(text), key=lambda item: (item[0].start(), -item[0].end())):
        if match.start() < taken:
            continue
        taken = match.end()
        try:
            day = reading(match, today)
        except (ValueError, OverflowError):
            continue
        yield match.start(), match.end(), day.isoformat() if day else ""


def _found(text: str) -> Iterator[tuple[re.Match[str], Reading]]:
    for pattern, reading in _readings():
        for match in pattern.finditer(text):
            yield match, reading


def _day(iso: str) -> date | None:
    try:
        return date.fromisoformat(iso[:10])
    except ValueError:
        return None


# ---- how a day is named ------------------------------------------------------------------------------------------------


def _written(match: re.Match[str], _today: date | None) -> date:
    return date(int(match[1]), int(match[2]), int(match[3]))


def _in_year(year: str | None, month: int, day: int, today: date | None) -> date | None:
    if year:
        return date(int(year), month, day)
    if today is None:
        date(2000, month, day)  # is it a day at all?
        return None
    this = date(today.year, month, day)
    return this if this >= today else date(today.year + 1, month, day)


def _day_month(match: re.Match[str], today: date | None) -> date | None:
    return _in_year(match[3], _MONTHS.index(match[2][:3].lower()) + 1, int(match[1]), today)


def _month_day(match: re.Match[str], today: date | None) -> date | None:
    return _in_year(match[3], _MONTHS.index(match[1][:3].lower()) + 1, int(match[2]), today)


def _abroad(match: re.Match[str], today: date | None) -> date | None:
    return _in_year(match[3], _MONTHS_ABROAD[match[2].lower()], int(match[1]), today)


def _numbered(match: re.Match[str], today: date | None) -> date | None:
    day, month, year = match.group(1, 2, 3) if match[1] else match.group(4, 5, 6)
    return _in_year(year, int(month), int(day), today)


def _weekday_abroad(match: re.Match[str], today: date | None) -> date | None:
    return today + timedelta(days=(_DAYS_ABROAD[match[0].lower()] - today.weekday()) % 7) if today else None


def _chinese(match: re.Match[str], today: date | None) -> date | None:
    return _in_year(match[1], int(match[2]), int(match[3]), today)


def _of_month(match: re.Match[str], today: date | None) -> date | None:
    """“The 30th”: of this month, or of the next where it is over."""
    if today is None or not 1 <= int(match[1]) <= 31:
        return None
    first = today.replace(day=1)
    for _ in range(3):
        try:
            found = first.replace(day=int(match[1]))
        except ValueError:
            found = None
        if found and found >= today:
            return found
        first = (first + timedelta(days=32)).replace(day=1)
    return None


def _weekday(match: re.Match[str], today: date | None) -> date | None:
    """“Friday” is the next one to come; “next Friday” is that of the next week."""
    if today is None:
        return None
    wanted = _WEEKDAYS.index(match[2][:3].lower())
    if (match[1] or "").strip().lower() == "next":
        return today + timedelta(days=7 - today.weekday() + wanted)
    return today + timedelta(days=(wanted - today.weekday()) % 7)


def _chinese_weekday(match: re.Match[str], today: date | None) -> date | None:
    if today is None:
        return None
    wanted = _DIGITS[match[2]] - 1
    if match[1] == "下":
        return today + timedelta(days=7 - today.weekday() + wanted)
    return today + timedelta(days=(wanted - today.weekday()) % 7)


def _relative(match: re.Match[str], today: date | None) -> date | None:
    ahead = {"today": 0, "tonight": 0, "今天": 0, "今晚": 0, "tomorrow": 1, "明天": 1, "后天": 2}
    return today + timedelta(days=ahead[match[0].lower()]) if today else None


def _in_days(match: re.Match[str], today: date | None) -> date | None:
    count = _NUMBERS.get(match[1].lower()) or int(match[1])
    return today + timedelta(days=count * (7 if match[2].lower().startswith("week") else 1)) if today else None


def _chinese_in_days(match: re.Match[str], today: date | None) -> date | None:
    count = _DIGITS.get(match[1]) or int(match[1])
    return today + timedelta(days=count * (1 if match[2] == "天" else 7)) if today else None


def _end_of(match: re.Match[str], today: date | None) -> date | None:
    if today is None:
        return None
    span = _ENDS.get(match[0]) or match[1].lower()
    if span == "week":
        return today + timedelta(days=(4 - today.weekday()) % 7)
    month = {"month": today.month, "quarter": (today.month + 2) // 3 * 3, "year": 12}[span]
    return (date(today.year, month, 1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)


@lru_cache(maxsize=1)
def _readings() -> list[tuple[re.Pattern[str], Reading]]:
    found: list[tuple[str, Reading]] = [
        (r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b", _written),
        (r"\b(\d{4})/(\d{1,2})/(\d{1,2})\b", _written),
        (rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}\b\.?(?:,? (\d{{4}}))?", _day_month),
        (rf"\b{_MONTH}\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?", _month_day),
        (rf"(?<![\w.])(\d{{1,2}})[.º]? (?:de |di )?({'|'.join(_MONTHS_ABROAD)})(?!\w)(?: (?:de )?(\d{{4}}))?", _abroad),
        (r"(?<!\w)(\d{1,2}) tháng (\d{1,2})(?!\w)(?: năm (\d{4}))?|(?<![\w.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\w)", _numbered),
        (rf"(?<!\w)(?:{'|'.join(_DAYS_ABROAD)})(?![a-zа-яіїє])", _weekday_abroad),
        (r"(?:(\d{4})[年년] ?)?(\d{1,2})[月월] ?(\d{1,2})[日号號일]", _chinese),
        (r"\bthe (\d{1,2})(?:st|nd|rd|th)\b", _of_month),
        (rf"\b(next |this |coming )?{_WEEKDAY}\b", _weekday),
        (r"(下|这|本)?(?:周|星期)([一二三四五六日天])", _chinese_weekday),
        (r"\b(?:today|tonight|tomorrow)\b|今天|今晚|明天|后天", _relative),
        (r"\bin (a|an|one|two|three|four|five|six|seven|ten|\d{1,3}) (days?|weeks?)\b", _in_days),
        (r"([一二两三四五六七八九十]|\d{1,3})(天|周|个?星期)(?:之?内|后|以内)", _chinese_in_days),
        (r"\b(?:the )?end of (?:the |this )?(week|month|quarter|year)\b|周末|本周内|月底|年底|季度末", _end_of),
    ]
    return [(re.compile(pattern, re.I), reading) for pattern, reading in found]
