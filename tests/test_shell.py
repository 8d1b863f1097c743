"""A shell's command, taken apart by its form; where bash can say what it does, bash is asked."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.transcripts.shell import commit_subject, fed, published_by, runs_holdfast, shown_by, steps_of, written_by
from nasty import tries

if TYPE_CHECKING:
    from pathlib import Path


COMMANDS = [
    ("cd /w && go test ./... | tail -5", ["go test ./..."]),
    ("git status; make build", ["make build"]),
    ("cat <<'EOF' > x\nrm -rf everything\nEOF\npytest -q tests", ["pytest -q tests"]),
    ("jq '.a | .b' file.json", ["jq '.a | .b' file.json"]),
    ("ls -la", []),
    ("/usr/bin/grep -r rate app && /opt/bin/check app", ["/opt/bin/check app"]),
    ("echo 'a; b' && npm run lint", ["npm run lint"]),
    (f"make {'aim ' * 60}", [f"make {'aim ' * 37}aim …"]),
]


@pytest.mark.parametrize(("line", "steps"), COMMANDS)
def test_a_shell_line_is_taken_apart_into_what_it_does(line: str, steps: list[str]) -> None:
    """Separators inside quotes separate nothing, and what is only fed to a command is no command."""
    assert steps_of(line) == steps


SHOWN = [
    ("sed -n '1,80p' app/rates.py", ("app/rates.py",)),
    ("cd /w && nl -ba 'app/rates.py' | sed -n '20,40p'", ("app/rates.py",)),
    ("head -n 20 a.py && tail -50 b.log; cat c.md", ("a.py", "b.log", "c.md")),
    ("rg -n 'rate|total.py' app/rates.py", ("app/rates.py",)),
    ("grep -n rate a.py b.py", ()),
    ("rg -n rate internal cmd", ()),
    ("sed -n '1,80p' $(go env GOPATH)/a.go", ()),
    ("rg -n rate app -g '*.py'", ()),
    ("sed -i 's/a/b/' a.py", ()),
    ("cat a.py > b.py", ()),
    ("cat > a.py <<'E'\ncat b.py\nE", ()),
    ("python a.py", ()),
]


@pytest.mark.parametrize(("line", "files"), SHOWN)
def test_a_shell_that_shows_a_file_reads_it(line: str, files: tuple[str, ...]) -> None:
    """Some hosts have no other way of reading; what is written, changed or searched through by the dozen is not read."""
    assert shown_by(line) == files


SUBJECTS = [
    ("git commit -m 'Fix the parser'", "Fix the parser"),
    ("git add -A && git commit -m \"$(cat <<'EOF'\nFix the rate\n\nbody\nEOF\n)\"", "Fix the rate"),
    ('git -C /w commit --message="One line"', "One line"),
    ("git commit -am 'Fix the parser'", "Fix the parser"),
    ('git add -A && git commit -qm "Fix the parser" && git push', "Fix the parser"),
    ("git commit -a -q -m'Fix the parser'", "Fix the parser"),
    ("git commit --amend --no-edit --message 'Fix the parser'", "Fix the parser"),
    ("git commit -m parser", "parser"),
    ("git commit --amend --no-edit", ""),
    ("git log --oneline", ""),
    ("git commit -F - <<EOF\n\nFix the rate\nbody\nEOF", "Fix the rate"),
    ("cat > m.txt <<EOF\nFix the rate\nEOF\ngit commit -qF m.txt", "Fix the rate"),
    ("cat > a.py <<EOF\nimport os\nEOF\ngit add a.py && git commit -m 'Add a.py'", "Add a.py"),
    ("cat > a.sh <<EOF\ngit commit -m 'later'\nEOF", ""),
]


@pytest.mark.parametrize(("line", "subject"), SUBJECTS)
def test_a_commit_is_known_by_its_subject(line: str, subject: str) -> None:
    """So that what is committed is not done again."""
    assert commit_subject(line) == subject


PUBLISHED = [
    ("git push origin main", True),
    ("git tag v1.0", True),
    ("gh pr create --fill", True),
    ("npm publish", True),
    ("make deploy", True),
    ("cat <<EOF\ngit push\nEOF", False),
    ("git status", False),
    ("pytest -q", False),
]


@pytest.mark.parametrize(("command", "does"), PUBLISHED)
def test_a_command_that_gives_the_work_away_is_known(command: str, does: bool) -> None:
    """A push, a merge, a release; not what is only written into a file."""
    assert bool(published_by(command)) is does


HEREDOCS = [
    ("cat <<E > a\nmake x\nE\nmake all", ["make all"]),
    ("cat <<'EF'\nmake x\nE\nEF\nmake all", ["make all"]),
    ("git commit -m \"$(cat <<'E'\nmake x y\n  E\n)\" && make all", ["make all"]),
    ("cat <<E | make -f - && make all\nmake x\nE", ["make all"]),
    ("cat <<E <<F\nmake x\nE\nmake y\nF\nmake all", ["make all"]),
    ("cat <<END\nEND of x\nmake x\nEND\nmake all", ["make all"]),
    ("cat <<\\END\nmake x\nEND && make all", ["make all"]),
    ("cat <<'END-OF-IT'\nmake x\nEND-OF-IT\nmake all", ["make all"]),
    ("cat <<<END\nmake all\nEND", ["make all"]),
    ("echo $((1 << n))\nmake all", ["make all"]),
    ("cat <<E\nmake never ended", []),  # a shell reads on to the end
    ("".join(f"cat > f{number} <<E{number}\n" for number in range(20_000)) + "make all", []),  # none of them ends
    ("cat << E " * 20_000 + "\nmake all", ["make all"]),
    ("cat <<E " * 20_000 + "\nE" * 20_000 + "\nmake all", ["make all"]),
]


@pytest.mark.parametrize(("command", "steps"), HEREDOCS)
def test_what_a_command_has_in_it_as_a_text_is_no_step_of_it(command: str, steps: list[str]) -> None:
    """However many such texts are begun and never ended: each line is looked at once."""
    assert [step for step in steps_of(command) if step.startswith("make")] == steps


WRITTEN = [
    ("cat > a <<E\nx\ny\nE", "a"),
    ("cat <<'E' > a\n$x `y`\nE\ncat a", "a"),
    ("cat >a <<\\E\nx\nE", "a"),
    ("cat <<-E > a\nx\n\tE\ntrue", "a"),
    ("tee a <<E >/dev/null\nx\nE", "a"),
    ("tee -a a <<\"E\" > /dev/null\nx\nE", "a"),
    ("mkdir -p d && cat > d/a <<E && true\nx\nE", "d/a"),
    ("cat > a <<E; cat > b <<F\nx\nE\ny\nF", "a b"),
    ("cat > a <<END\nEND of it\n END\nENDE\nEND", "a"),
    ("cat > a <<E-O.F\nE\nE-O.F", "a"),
    ("cat > a <<E\ncat > b <<F\nx\nF\nE", "a"),
    ("cat <<< E > a; cat > b <<E\nx\nE", "b"),
    ("true $((1 << 2))\ncat > a <<E\nx\nE", "a"),
    ("cat > a <<E\nE", "a"),
    ("cat > a <<E\nnever ended", "a"),
    ("cat > a <<E\n\n\nx\n\nE\n\n", "a"),
]


@pytest.mark.parametrize(("command", "files"), WRITTEN)
def test_what_a_command_writes_out_of_its_own_text_is_what_bash_writes(tmp_path: Path, command: str, files: str) -> None:
    """The same files, with the same text in them."""
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True, capture_output=True)
    told = {path: f"{said}\n" if said else "" for path, _, said in written_by(command)}
    assert told == {path: (tmp_path / path).read_text() for path in files.split()}


LINES = st.lists(st.text("E F<>'\"$x", max_size=6), max_size=4)


@tries(100)
@given(st.lists(st.tuples(st.sampled_from(("cat", "tee a", "x")), st.sampled_from(("E", "F", "E.F")), LINES), max_size=4))
def test_texts_that_end_come_out_as_they_were_fed(given_: list[tuple[str, str, list[str]]]) -> None:
    """Whatever stands in them, also what would begin or end another one."""
    texts = [(program, mark, [line for line in lines if line.strip() != mark]) for program, mark, lines in given_]
    command = "".join("\n".join((f"{program} <<{mark}", *lines, mark, "")) for program, mark, lines in texts)
    bare, found = fed(command)
    assert [text.said for text in found] == ["\n".join(lines) for _, _, lines in texts]
    assert bare == "".join(f"{program} \n" for program, _, _ in texts)


@tries(300)
@given(st.text("<E F\n'\"\\-$x", max_size=200))
def test_no_command_is_too_odd_to_be_taken_apart(command: str) -> None:
    """Nothing that a shell would not have: what is not understood is left as it stands."""
    bare, found = fed(command)
    assert len(bare) + sum(len(text.said) for text in found) <= len(command)
    assert isinstance(steps_of(command), list)
    assert isinstance(written_by(command), tuple)


OURS = {
    "holdfast status": "all",
    "cd /w && holdfast recover --session x | head -50": "all",
    "HOLDFAST_X=1 /w/.venv/bin/holdfast show state 2>&1": "all",
    "python3 -m holdfast search 'rates; and more'": "all",
    "uv run --with x holdfast status": "all",
    "timeout 9 holdfast tail": "all",
    "echo note | holdfast write memory/x.md": "all",
    "bash -lc 'holdfast status'": "all",
    "for t in a b; do holdfast topic read $t; done": "all",
    'echo "now: $(holdfast show state)"': "all",
    "echo 'run holdfast status'": "",
    "echo $(holdfast show state)": "all",
    "holdfast done 'tests' && make test": "part",
    "cat notes.md; holdfast status": "part",
    "cd /src/holdfast && make": "",
    "ls src/holdfast": "",
    "pip install holdfast": "",
    "python -m pytest holdfast": "",
    "git clone https://example.org/holdfast": "",
    "git commit -m 'holdfast status is right'": "",
    "holdfasting status": "",
}


@pytest.mark.parametrize("command", OURS)
def test_a_command_that_prints_what_we_know_is_told_from_one_that_names_us(command: str) -> None:
    """By the program that is run, not by where its name stands."""
    assert runs_holdfast(command) == OURS[command]
