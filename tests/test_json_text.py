"""Settings files are changed in one place, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.installs import json_text, marked

COMMENTED = """\
// my settings
{
  model: 'opus', // the good one
  /* kept */
  "permissions": {"allow": ["Bash", ],},
  hooks: {
    "Stop": [
      {"hooks": [{"type": "command", "command": "mine"}]}  // mine
    ],
  },  // that was hooks
}
"""

# text, path, value, what it becomes
PUT = (
    ("", ("a", "b"), 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'),
    ("{}", ("a",), 1, '{\n  "a": 1\n}'),
    ('{"a": 1}\n', ("b",), [2], '{"a": 1, "b": [2]}\n'),
    ('{"a": 1}\n', ("a",), 2, '{"a": 2}\n'),
    ('{\n\t"a": 1\n}\n', ("b",), {"c": 2}, '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'),
    ('{\r\n  "a": 1\r\n}\r\n', ("b",), 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'),
    ('{\n  "a": 1 // one\n}', ("b",), 2, '{\n  "a": 1, // one\n  "b": 2\n}'),
    ('{\n  "a": 1, // one\n}', ("b",), 2, '{\n  "a": 1, // one\n  "b": 2,\n}'),
    ('{\n  "a": 1\n  // the end\n}', ("b",), 2, '{\n  "a": 1,\n  "b": 2\n  // the end\n}'),
    ('{\n  // nothing yet\n}', ("b",), 2, '{\n  // nothing yet\n  "b": 2\n}'),
    ('{"a": 1, "a": {"b": 2}}', ("a", "b"), 3, '{"a": 1, "a": {"b": 3}}'),
    ('\ufeff{"a": 1}', ("a",), 2, '\ufeff{"a": 2}'),
    ('{"a": "//no, comment/*"}', ("b",), 2, '{"a": "//no, comment/*", "b": 2}'),
)


@pytest.mark.parametrize(("text", "path", "value", "becomes"), PUT)
def test_a_value_is_put_where_it_belongs_and_nothing_else_changes(
    text: str, path: tuple[str, ...], value: Any, becomes: str
) -> None:
    """Comments, order, indents, line ends and the mark at the beginning stay."""
    assert json_text.put(text, path, value) == becomes
    assert json_text.put(becomes, path, value) == becomes


NESTED = '{"a": [{"b": [1, 2]}, 3]}'


def test_a_number_in_a_path_is_a_place_in_a_list() -> None:
    """For what stands there; nothing is made at a place that is not there."""
    assert json_text.put(NESTED, ("a", 0, "b", 1), 5) == '{"a": [{"b": [1, 5]}, 3]}'
    assert json_text.put(NESTED, ("a", 0, "c"), 5) == '{"a": [{"b": [1, 2], "c": 5}, 3]}'
    assert json_text.drop(NESTED, ("a", 0, "b", 0)) == '{"a": [{"b": [2]}, 3]}'
    assert json_text.drop(NESTED, ("a", 1)) == '{"a": [{"b": [1, 2]}]}'
    assert json_text.drop(NESTED, ("a", 7)) == json_text.drop(NESTED, ("a", 1, "x")) == NESTED
    for path in (("a", 7), ("a", 0, 0), ("a", "b")):
        with pytest.raises(json_text.NotJson):
            json_text.put(NESTED, path, 1)


def test_a_list_grows_by_one_item_once() -> None:
    """What is there already is not put in again."""
    once = json_text.add(COMMENTED, ("hooks", "Stop"), {"hooks": []})
    assert json_text.add(once, ("hooks", "Stop"), {"hooks": []}) == once
    assert once.replace(',  // mine\n      {\n        "hooks": []\n      }', "  // mine") == COMMENTED
    assert json_text.read(once)["hooks"]["Stop"][1] == {"hooks": []}
    assert json_text.add(COMMENTED, ("permissions", "allow"), "Edit").count('"Bash", "Edit", ]') == 1


def test_what_was_put_in_is_taken_out_again() -> None:
    """By its name, or by what it is."""
    grown = json_text.put(json_text.add(COMMENTED, ("hooks", "Stop"), {"x": 1}), ("hooks", "PreCompact"), [1])
    shrunk = json_text.drop(grown, ("hooks", "PreCompact"))
    shrunk = json_text.drop_from(shrunk, ("hooks", "Stop"), lambda item: item.get("x") == 1)
    assert json_text.read(shrunk) == json_text.read(COMMENTED)
    assert [line for line in COMMENTED.splitlines() if line not in shrunk.splitlines()] == []
    assert json_text.drop(COMMENTED, ("no", "such")) == COMMENTED
    assert json_text.drop('{"a": 1}', ("a",)) == "{}"
    assert json_text.drop('{"a": 1 /* x, y */, "b": 2}', ("b",)) == '{"a": 1 /* x, y */}'
    assert json_text.read('[Infinity, -Infinity, 0x1f, +1, .5, \'it\\\'s\']') == [float("inf"), float("-inf"), 31, 1, 0.5, "it's"]


BROKEN = ("{", "{a}", '{"a" 1}', "[1 2]", '{"a": }', "{} x", '{"a": nope}', '"\n"', "[" * 5000, '{"a": 1} // {\n}')


@pytest.mark.parametrize("text", BROKEN)
def test_a_text_that_is_no_json_is_said_to_be_none(text: str) -> None:
    """With the line at which it shows; nothing is guessed."""
    with pytest.raises(json_text.NotJson, match=r"line [0-9]+: .* was expected"):
        json_text.read(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1, 2, 4, "\t"]))
def test_json_is_read_as_json_reads_it(value: Any, indent: Any) -> None:
    """However it is laid out."""
    assert json_text.read(json.dumps(value, indent=indent)) == value


OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)


@given(OBJECTS, st.lists(st.text(), min_size=1, max_size=3), VALUES, st.sampled_from([None, 2, "\t"]))
def test_put_changes_what_it_is_told_to_and_drop_undoes_it(value: Any, path: list[str], new: Any, indent: Any) -> None:
    """Whatever stands there, unless something that is no object is in the way."""
    text = json.dumps(value, indent=indent)
    expected = json.loads(text)
    inner = expected
    for name in path[:-1]:
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            with pytest.raises(json_text.NotJson):
                json_text.put(text, tuple(path), new)
            return
    had = path[-1] in inner
    inner[path[-1]] = new
    changed = json_text.put(text, tuple(path), new)
    assert json_text.read(changed) == expected
    del inner[path[-1]]
    assert json_text.read(json_text.drop(changed, tuple(path))) == expected
    assert had or json_text.read(json_text.drop(text, tuple(path))) == json.loads(text)


# ---- a section in a text file ----

BODY = "## Memory\n\nSave before you answer."


@pytest.mark.parametrize("text", ["", "# Mine\n", "# Mine", "# Mine\r\n\r\nwords\r\n", "\n\n", "a\n\n\n"])
def test_a_section_comes_and_goes_and_leaves_no_trace(text: str) -> None:
    """A text that did not end its last line gets an end to it; nothing else changes."""
    grown = marked.with_section(text, BODY)
    assert marked.with_section(grown, BODY) == grown
    assert marked.has_section(grown, BODY)
    assert not marked.has_section(text, BODY)
    assert marked.without_section(grown).rstrip("\r\n") == text.rstrip("\r\n")
    assert not text.endswith("\n") or marked.without_section(grown) == text


def test_an_older_section_is_replaced_where_it_stands() -> None:
    """And what comes after it stays after it."""
    text = marked.with_section("# Mine\n", "former words") + "\nmore of mine\n"
    renewed = marked.with_section(text, BODY)
    assert "former" not in renewed
    assert renewed.startswith("# Mine\n\n<!-- holdfast: begin")
    assert renewed.endswith("\nmore of mine\n")
    assert marked.without_section(renewed) == "# Mine\n\nmore of mine\n"
