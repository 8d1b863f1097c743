"""Wrap docstrings and comments at 100 columns; move trailing comments that are too far right above their line."""
import ast, io, pathlib, re, sys, textwrap, tokenize
W = 100
KEEP = re.compile(r"noqa|type: ignore|fmt:|pragma|mypy:")
def wrap(text, first, rest):
    return textwrap.wrap(text, W, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
def width(s): return len(s)
def reflow_block(lines):
    """lines: full lines of a docstring (with indentation). Wrap paragraphs that have a line that is too long."""
    out, i = [], 0
    while i < len(lines):
        if not lines[i].strip(): out.append(lines[i]); i += 1; continue
        j = i
        while j < len(lines) and lines[j].strip(): j += 1
        para = lines[i:j]
        if any(width(l) > W for l in para):
            # items: a line begins a new item where it is a list mark, a rule, or indented less than its follower
            k = 0
            while k < len(para):
                ind = re.match(r" *", para[k]).group()
                m = k + 1
                follow = None
                while m < len(para) and not re.match(r"\s*([-*·]|\d+[.)]|Rule \d|\w+ \d+:|[\w./]+\.py\b)\s", para[m]):
                    f = re.match(r" *", para[m]).group()
                    if follow is None: follow = f
                    if f != follow or len(f) < len(ind): break
                    m += 1
                chunk = para[k:m]
                if any(width(l) > W for l in chunk):
                    out += wrap(" ".join(l.strip() for l in chunk), ind, follow if follow is not None else ind)
                else: out += chunk
                k = m
        else: out += para
        i = j
    return out
def docstrings(text):
    tree = ast.parse(text); lines = text.split("\n"); spans = []
    for n in ast.walk(tree):
        if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef)) and n.body and isinstance(n.body[0], ast.Expr) and isinstance(n.body[0].value, ast.Constant) and isinstance(n.body[0].value.value, str):
            spans.append((n.body[0].lineno - 1, n.body[0].end_lineno))
    for a, b in sorted(spans, reverse=True):
        block = lines[a:b]
        if not any(width(l) > W for l in block): continue
        ind = re.match(r" *", block[0]).group()
        joined = "\n".join(block)
        if not re.match(r' *r?"""', block[0]) or not joined.rstrip().endswith('"""'): continue
        raw = joined.rstrip()[:-3].rstrip()
        new = reflow_block(raw.split("\n"))
        single = len(new) == 1 and len(new[0]) + 3 <= W
        if single: new[0] += '"""'
        else:
            if raw.endswith('"'): new[-1] += " "
            new.append(ind + '"""')
        lines[a:b] = new
    return "\n".join(lines)
def comments(text):
    lines = text.split("\n"); edits = []
    toks = list(tokenize.generate_tokens(io.StringIO(text).readline))
    own = {}
    for t in toks:
        if t.type == tokenize.COMMENT:
            l, c = t.start; line = lines[l - 1]
            if line[:c].strip() == "": own[l - 1] = c
            elif len(line) > W and not KEEP.search(t.string):
                edits.append(("trail", l - 1, c, t.string))
    for _, l, c, s in sorted(edits, reverse=True):
        code = lines[l][:c].rstrip(); ind = re.match(r" *", code).group()
        lines[l : l + 1] = [*wrap(s.lstrip("# "), ind + "# ", ind + "# "), code]
    text = "\n".join(lines); lines = text.split("\n")
    own = {}
    for t in tokenize.generate_tokens(io.StringIO(text).readline):
        if t.type == tokenize.COMMENT and lines[t.start[0] - 1][: t.start[1]].strip() == "" : own[t.start[0] - 1] = t.start[1]
    i = 0; out = []
    while i < len(lines):
        if i in own and not KEEP.search(lines[i]):
            j = i
            while j in own and own[j] == own[i] and not KEEP.search(lines[j]) and (j == i or not re.match(r"\s*#\s*(-|\d+[.)]|$|----)", lines[j])): j += 1
            block = lines[i:j]
            if any(len(l) > W for l in block):
                if re.match(r"\s*# -{3,}", block[0]): out += [block[0][:W].rstrip()] + block[1:]
                else:
                    ind = " " * own[i]
                    out += wrap(" ".join(l.strip().lstrip("#").strip() for l in block), ind + "# ", ind + "# ")
            else: out += block
            i = j
        else: out.append(lines[i]); i += 1
    return "\n".join(out)
for root in sys.argv[1:]:
    for p in pathlib.Path(root).rglob("*.py"):
        t = p.read_text(); n = comments(docstrings(t))
        if ast.dump(ast.parse(re.sub(r"x", "x", n))).count("(") and n != t:
            p.write_text(n)
