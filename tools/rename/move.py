"""Move modules: rewrite every import of ours in src, tests, bench, and names of modules in strings and documents."""
import ast, json, os, pathlib, re, subprocess, sys
root = pathlib.Path(sys.argv[1]).resolve()
MAP = {}
for line in open(sys.argv[2]):
    line = line.split("#")[0].split()
    if len(line) == 2: MAP[line[0]] = line[1]
src = root / "src/holdfast"
def dotted(p): return p.relative_to(src).with_suffix("").as_posix().replace("/", ".")
mods = {dotted(p): p for p in src.rglob("*.py")}          # with a.__init__
packages = {m[:-9] for m in mods if m.endswith(".__init__")}
# packages renamed as a whole: "documents.* formats.*"
full = {}
for m in mods:
    if m in MAP: full[m] = MAP[m]; continue
    pk, _, rest = m.partition(".")
    full[m] = f"{MAP[pk + '.*'][:-2]}.{rest}" if rest and pk + ".*" in MAP else m
def newpkg(p): return MAP.get(p + ".*", p + ".*")[:-2] if p else p
def place(m):  # package parts in which a (new) module stands
    return m.split(".")[:-1] if not m.endswith("__init__") else m.split(".")[:-1]
def relative(frm_pkg, target_pkg):
    """`from <this> import …` for a target package or module path (list of parts), seen from a package."""
    common = 0
    while common < min(len(frm_pkg), len(target_pkg)) and frm_pkg[common] == target_pkg[common]: common += 1
    return "." * (len(frm_pkg) - common + 1) + ".".join(target_pkg[common:])
def rewrite(path, text, old_here, new_here, inside):
    tree = ast.parse(text); lines = text.split("\n"); edits = []; renamed = {}
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)} | {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))} | {a.asname or a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and (n.level or (n.module or "").split(".")[0] == "holdfast"):
            if n.level:
                if not inside: continue
                base = [*old_here[: len(old_here) + 1 - n.level], *((n.module or "").split(".") if n.module else [])]
            else: base = n.module.split(".")[1:]
            groups = {}
            for a in n.names:
                sub = ".".join([*base, a.name])
                if sub in mods:                                  # a module of ours
                    new = full[sub].split("."); key = tuple(new[:-1]); name = new[-1]
                    asname = a.asname
                    if name != a.name and not asname:
                        if name in taken or a.name == "cli": asname = a.name
                        else: renamed[a.name] = name
                    groups.setdefault(key, []).append((name, asname if asname != name else None))
                elif sub in packages:
                    new = newpkg(sub).split("."); name = new[-1]
                    if name != a.name and not a.asname: renamed[a.name] = name
                    groups.setdefault(tuple(new[:-1]), []).append((name, a.asname))
                else:                                            # a name in a module or package
                    b = ".".join(base)
                    if b in mods: new = full[b].split(".")
                    elif b + ".__init__" in mods: new = full[b + ".__init__"].split(".")[:-1]
                    elif b == "": new = []
                    else: raise SystemExit(f"{path}: {ast.unparse(n)}")
                    groups.setdefault(tuple(new), []).append((a.name, a.asname))
            out = []
            for key, names in groups.items():
                frm = relative(new_here, list(key)) if n.level else ".".join(["holdfast", *key])
                out.append(f"from {frm} import " + ", ".join(x + (f" as {y}" if y else "") for x, y in names))
            orig = f"from {'.'*n.level}{n.module or ''} import " + ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in n.names)
            if out != [orig]: edits.append((n.lineno - 1, n.end_lineno - 1, n.col_offset, n.end_col_offset, out))
        elif isinstance(n, ast.Import):
            for a in n.names:
                if a.name.startswith("holdfast.") : print("IMPORT", path, ast.unparse(n))
    if renamed:
        for n in ast.walk(tree):
            if isinstance(n, ast.Name) and n.id in renamed:
                edits.append((n.lineno - 1, n.lineno - 1, n.col_offset, n.end_col_offset, renamed[n.id]))
    for l0, l1, c0, c1, out in sorted(edits, key=lambda e: (e[0], e[2]), reverse=True):
        first = lines[l0].encode()[:c0].decode(); last = lines[l1].encode()[c1:].decode()
        if isinstance(out, str): lines[l0] = first + out + last
        else: lines[l0 : l1 + 1] = [first + o + (last if i == len(out) - 1 else "") for i, o in enumerate(out)]
    return "\n".join(lines), renamed
texts = {}
for m, p in mods.items():
    old_here = m.split(".")[:-1]
    texts[p], ren = rewrite(p, p.read_text(), old_here, full[m].split(".")[:-1], True)
    if ren: print("renamed in", m, ren)
for d in ("tests", "bench"):
    for p in (root / d).rglob("*.py"):
        texts[p], ren = rewrite(p, p.read_text(), [], [], False)
        if ren: print("renamed in", p.relative_to(root), ren)
# names of modules in strings and documents, in one pass
table = {}
for m in mods:
    if full[m] != m and not m.endswith("__init__"):
        table["holdfast." + m] = "holdfast." + full[m]; table[m.replace(".", "/") + ".py"] = full[m].replace(".", "/") + ".py"
one = re.compile(r"(?<![\w./-])(?:(?P<src>src/holdfast/)(?P<pk>\w+)/(?!\w+\.py)|(?P<pre>src/holdfast/)?(?P<it>" + "|".join(sorted(map(re.escape, table), key=len, reverse=True)) + r")(?![\w]))")
def restring(t):
    def sub(m):
        if m["pk"]: return m["src"] + newpkg(m["pk"]) + "/"
        return (m["pre"] or "") + table[m["it"]]
    return one.sub(sub, t)
for p, t in texts.items():
    p.write_text("\n".join(l if re.match(r"\s*(from|import) ", l) else restring(l) for l in t.split("\n")))
for p in [*root.glob("*.md"), *(root / "docs").rglob("*.md"), root / "Makefile", root / "pyproject.toml"]:
    t = p.read_text(); n = restring(t)
    if n != t: p.write_text(n)
for m, p in mods.items():
    if full[m] != m:
        new = src / (full[m].replace(".", "/") + ".py"); new.parent.mkdir(exist_ok=True, parents=True)
        subprocess.run(["git", "-C", str(root), "mv", str(p), str(new)], check=True)
