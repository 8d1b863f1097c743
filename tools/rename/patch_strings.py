import ast, collections, glob, pathlib, re, sys
root = pathlib.Path(sys.argv[1])
rows = {}
for t in [str(pathlib.Path(__file__).parent / "names.tsv")]:
    for l in open(t):
        c = l.rstrip("\n").split("\t")
        if len(c) >= 3: rows[c[0].replace("/", "."), c[1]] = c[2]
last = collections.defaultdict(set); owners = collections.defaultdict(dict)
for (m, q), n in rows.items():
    last[q.split(".")[-1]].add(n); owners[q.split(".")[-1]][m, q] = n
src = root / "src/holdfast"
def origin(module, name, depth=0):
    """Where a name that a module imports is defined."""
    p = src / (module.replace(".", "/") + ".py")
    if not p.exists() or depth > 3: return module, name
    for n in ast.walk(ast.parse(p.read_text())):
        if isinstance(n, ast.ImportFrom) and n.level:
            for a in n.names:
                if (a.asname or a.name) == name:
                    base = module.split(".")[:-1]; base = base[: len(base) + 1 - n.level]
                    return origin(".".join([*base, *([n.module] if n.module else [])]), a.name, depth + 1)
    return module, name
for p in [*(root / "tests").rglob("*.py"), *(root / "bench").rglob("*.py")]:
    text = p.read_text(); tree = ast.parse(text); lines = text.split("\n"); edits = []
    imported = {}
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("holdfast"):
            for a in n.names: imported[a.asname or a.name] = (n.module[9:], a.name)
    for n in ast.walk(tree):
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.lineno == n.end_lineno:
            v = n.value; new = None
            if v.startswith("holdfast.") and re.fullmatch(r"[\w.]+", v):
                mod, _, name = v[9:].rpartition(".")
                o = origin(mod, name)
                if (o[0], o[1]) in rows: new = v[: -len(name)] + rows[o]
            elif v.startswith("_") and v.isidentifier() and len(last.get(v, ())) == 1 and not v.startswith("__"): new = next(iter(last[v]))
            if new and lines[n.lineno - 1].encode()[n.col_offset:n.end_col_offset].decode()[1:-1] == v:
                edits.append((n.lineno - 1, n.col_offset, n.end_col_offset, new))
        if isinstance(n, ast.Call) and ast.unparse(n.func).endswith("setattr") and len(n.args) >= 2 and isinstance(n.args[1], ast.Constant) and isinstance(n.args[1].value, str):
            owner, v = ast.unparse(n.args[0]), n.args[1].value; c = n.args[1]
            if v not in last or v.startswith("_") and len(last[v]) == 1: continue
            new = None; first, _, more = owner.partition(".")
            if first in imported:
                m, name = imported[first]
                mod = f"{m}.{name}".lstrip(".")
                if (src / (mod.replace(".", "/") + ".py")).exists() or (src / mod.replace(".", "/")).is_dir():
                    if more: o = origin(mod, more.split(".")[0]); key = (o[0], f"{o[1]}.{v}")
                    else: key = origin(mod, v)
                else: o = origin(m, name); key = (o[0], f"{o[1]}.{v}")
                new = rows.get(key)
                if new is None and len([1 for (mm, q) in owners[v] if "." in q]) == 1 and "." in key[1]: new = next(n2 for (mm, q), n2 in owners[v].items() if "." in q)
            if new: edits.append((c.lineno - 1, c.col_offset, c.end_col_offset, new))
            else: print("UNSURE", p.relative_to(root), n.lineno, owner, v, dict(owners[v]))
    for l, a, b, new in sorted(set(edits), reverse=True):
        raw = lines[l].encode(); q = raw[a:a+1]
        lines[l] = (raw[:a] + q + new.encode() + q + raw[b:]).decode()
    if edits: p.write_text("\n".join(lines))
