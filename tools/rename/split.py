"""Move top-level definitions between modules. plan lines: `source_module target_module name name …` (dotted below holdfast)."""
import ast, collections, pathlib, re, subprocess, sys
root = pathlib.Path(sys.argv[1]).resolve(); src = root / "src/holdfast"
plan = [l.split("#")[0].split() for l in open(sys.argv[2])]
where = {}                                   # (source, name) -> target
for p in plan:
    if len(p) > 2:
        for n in p[2:]: where[p[0], n] = p[1]
path_of = lambda m: src / (m.replace(".", "/") + ".py")
sources = {s for s, _ in where}; targets = set(where.values())
rel = lambda frm, to: "." * (len(frm.split(".")) - 1 - (c := len(__import__("os").path.commonprefix([frm.split(".")[:-1], to.split(".")[:-1]]))) + 1) + ".".join(to.split(".")[c:])
def defined(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)): return [node.name]
    if isinstance(node, ast.Assign): return [t.id for x in node.targets for t in ast.walk(x) if isinstance(t, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name): return [node.target.id]
    return []
segments = collections.defaultdict(list); imports_of = {}; rest = {}; defs = {}
def relocate(text, frm, to):
    """Rewrite the relative imports of a segment that moves from a package to another."""
    if frm.split(".")[:-1] == to.split(".")[:-1]: return text
    def one(m):
        dots, name = m[1], m[2]
        base = frm.split(".")[:-1]; base = base[: len(base) + 1 - len(dots)]
        full = ".".join([*base, *([name] if name else [])])
        common = 0; a = to.split(".")[:-1]; b = full.split(".") if full else []
        while common < min(len(a), len(b)) and a[common] == b[common]: common += 1
        return "from " + "." * (len(a) - common + 1) + ".".join(b[common:]) + " import"
    return re.sub(r"from (\.+)([\w.]*) import", one, text)
for s in sources:
    text = path_of(s).read_text(); lines = text.split("\n"); tree = ast.parse(text)
    gone = set(); defs[s] = {n for node in tree.body for n in defined(node)}
    head = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING") or (isinstance(node, ast.Assign) and ast.unparse(node).startswith("TYPE_CHECKING")):
            head.append("\n".join(lines[node.lineno - 1 : node.end_lineno]))
        names = defined(node); hit = [n for n in names if (s, n) in where]
        if hit:
            assert len(hit) == len(names), (s, names)
            start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
            while start and lines[start - 1].lstrip().startswith("#") and not lines[start - 1].startswith("# ----"): start -= 1
            t = where[s, hit[0]]
            end = node.end_lineno
            segments[t].append((s, relocate("\n".join(lines[start:end]), s, t), set(hit)))
            gone.update(range(start, end))
    imports_of[s] = head
    rest[s] = "\n".join(l for i, l in enumerate(lines) if i not in gone)
def used(text):
    t = ast.parse(text)
    return {n.id for n in ast.walk(t) if isinstance(n, ast.Name)} | set(re.findall(r"[\"'](\w+)[\"']", text)) & set()
for t, segs in segments.items():
    exists = path_of(t).exists()
    body = "\n\n\n".join(x for _, x, _ in segs)
    names = used(body); heads = []
    mine = {n for _, _, d in segs for n in d}
    for s in dict.fromkeys(s for s, _, _ in segs):
        heads += [relocate(h, s, t) for h in imports_of[s]]
        for n in sorted(names & defs[s] - mine):
            heads.append(f"from {rel(t, where.get((s, n), s))} import {n}")
    if exists: path_of(t).write_text(path_of(t).read_text().rstrip("\n") + "\n\n\n" + "\n".join(h for h in heads if "TYPE_CHECKING" not in h and "__future__" not in h) + "\n\n" + body + "\n")
    else:
        path_of(t).parent.mkdir(exist_ok=True)
        fut = [h for h in heads if "__future__" in h][:1]
        tc = [h for h in heads if h.startswith("TYPE_CHECKING")][:1]
        blocks = [h for h in heads if h.startswith("if TYPE_CHECKING")]
        other = list(dict.fromkeys(h for h in heads if h not in fut and h not in tc and h not in blocks))
        inner = list(dict.fromkeys(l for b in blocks for l in b.split("\n")[1:]))
        path_of(t).write_text('"""TODO"""\n\n' + "\n".join([*dict.fromkeys(fut), "", *other, "", *tc, *(["if TYPE_CHECKING:", *inner] if inner else [])]) + "\n\n\n" + body + "\n")
for s in sources:
    need = sorted(n for n in used(rest[s]) if (s, n) in where)
    lines = "\n".join(f"from {rel(s, where[s, n])} import {n}" for n in need)
    m = re.search(r"^from __future__ import annotations\n", rest[s], re.M)
    path_of(s).write_text(rest[s][: m.end()] + "\n" + lines + rest[s][m.end():])
# importers
for p in [*src.rglob("*.py"), *(root / "tests").rglob("*.py"), *(root / "bench").rglob("*.py")]:
    inside = p.is_relative_to(src)
    here = ".".join(p.relative_to(src).with_suffix("").parts) if inside else ""
    text = p.read_text(); tree = ast.parse(text); lines = text.split("\n"); edits = []
    aliases = {}
    for n in ast.walk(tree):
        if not isinstance(n, ast.ImportFrom): continue
        if n.level and inside:
            base = here.split(".")[:-1]; base = base[: len(base) + 1 - n.level]; mod = ".".join([*base, *([n.module] if n.module else [])])
        elif (n.module or "").startswith("holdfast"): mod = n.module[9:]
        else: continue
        out = collections.defaultdict(list); changed = False
        for a in n.names:
            sub = f"{mod}.{a.name}".lstrip(".")
            if (mod, a.name) in where: out[where[mod, a.name]].append(a); changed = True
            else:
                out[None].append(a)
                if sub in sources: aliases[a.asname or a.name] = (sub, n)
        if changed:
            new = []
            for t, names in out.items():
                l = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in names)
                frm = ("." * n.level + (n.module or "")) if t is None else (rel(here, t) if inside else "holdfast." + t)
                new.append(f"from {frm} import {l}")
            edits.append((n.lineno - 1, n.end_lineno - 1, n.col_offset, n.end_col_offset, new))
    extra = {}
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in aliases:
            s, imp = aliases[n.value.id]
            if (s, n.attr) in where:
                t = where[s, n.attr]
                edits.append((n.value.lineno - 1, n.value.lineno - 1, n.value.col_offset, n.value.end_col_offset, t.split(".")[-1]))
                extra.setdefault(id(imp), (imp, set()))[1].add(t)
    for imp, ts in extra.values():
        ind = " " * imp.col_offset
        add = [f"from {rel(here, t).rsplit('.',1)[0] if not rel(here,t).rsplit('.',1)[0].strip('.')=='' else '.'*(len(rel(here,t))-len(rel(here,t).lstrip('.')))} import {t.split('.')[-1]}" if inside else f"from holdfast.{t.rsplit('.',1)[0]} import {t.split('.')[-1]}" for t in sorted(ts)]
        edits.append((imp.end_lineno - 1, imp.end_lineno - 1, len(lines[imp.end_lineno - 1].encode()), len(lines[imp.end_lineno - 1].encode()), "\n" + "\n".join(ind + x for x in add)))
    if not edits: continue
    for l0, l1, c0, c1, out in sorted(edits, key=lambda e: (e[0], e[2]), reverse=True):
        first = lines[l0].encode()[:c0].decode(); last = lines[l1].encode()[c1:].decode()
        if isinstance(out, str): lines[l0] = first + out + last
        else: lines[l0 : l1 + 1] = [first + out[0], *[" " * c0 + o for o in out[1:-1]], *([" " * c0 + out[-1] + last] if len(out) > 1 else [])] if len(out) > 1 else [first + out[0] + last]
    p.write_text("\n".join(lines))
