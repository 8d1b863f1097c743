"""Rename symbols by a language server: collect every edit against the unchanged tree, then apply all at once."""
import ast, collections, json, os, pathlib, subprocess, sys, threading, time, queue, urllib.parse
root = pathlib.Path(sys.argv[1]).resolve(); tables = sys.argv[2:]
src = root / "src/holdfast"
rows = []
for t in tables:
    for line in open(t):
        c = line.rstrip("\n").split("\t")
        if len(c) >= 3 and c[0] and c[2].isidentifier(): rows.append(tuple(c[:3]))
def find(mod, qual):
    path = src / f"{mod}.py"
    if not path.exists(): path = src / mod / "__init__.py"
    if not path.exists(): return None
    text = path.read_text(); lines = text.split("\n"); tree = ast.parse(text)
    node = tree
    def search(node, parts):
        if not parts: return node
        for n in ast.walk(node) if False else children(node):
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and n.name == parts[0]:
                r = search(n, parts[1:])
                if r is not None: return r
        return None
    def children(node):
        for n in ast.iter_child_nodes(node):
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)): yield n
            else: yield from children(n)
    n = search(tree, qual.split("."))
    if n is None: return None
    line = lines[n.lineno-1]
    kw = "class " if isinstance(n, ast.ClassDef) else "def "
    col = line.index(kw, 0) + len(kw)
    col = line.index(n.name, col)
    return path, n.lineno-1, len(line[:col].encode("utf-16-le"))//2, n.name
class Server:
    def __init__(self):
        self.p = subprocess.Popen(["basedpyright-langserver","--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root)
        self.n = 0; self.answers = {}; self.ev = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        uri = root.as_uri()
        self.call("initialize", {"processId": os.getpid(), "rootUri": uri, "workspaceFolders":[{"uri":uri,"name":"x"}], "capabilities":{"workspace":{"configuration":True,"workspaceFolders":True,"workspaceEdit":{"documentChanges":False}}, "textDocument":{"rename":{"prepareSupport":True}}}})
        self.send({"method":"initialized","params":{}})
    def send(self, m):
        b = json.dumps({"jsonrpc":"2.0", **m}).encode()
        self.p.stdin.write(b"Content-Length: %d\r\n\r\n" % len(b) + b); self.p.stdin.flush()
    def read(self):
        while True:
            size = None
            while True:
                h = self.p.stdout.readline()
                if not h: return
                if h.strip()==b"": break
                if h.lower().startswith(b"content-length"): size = int(h.split(b":")[1])
            m = json.loads(self.p.stdout.read(size))
            if "method" in m and "id" in m:
                r = [{} for _ in m["params"]["items"]] if m["method"]=="workspace/configuration" else None
                if m["method"]=="workspace/configuration":
                    r = [{"analysis":{"diagnosticMode":"openFilesOnly","typeCheckingMode":"off"}} if "analysis" not in (i.get("section") or "") else {"diagnosticMode":"openFilesOnly","typeCheckingMode":"off"} for i in m["params"]["items"]]
                self.send({"id":m["id"],"result":r})
            elif "id" in m:
                with self.ev: self.answers[m["id"]] = m; self.ev.notify_all()
    def call(self, method, params, timeout=300):
        self.n += 1; i = self.n
        self.send({"id":i,"method":method,"params":params})
        with self.ev:
            if not self.ev.wait_for(lambda: i in self.answers, timeout): raise TimeoutError(method)
            return self.answers.pop(i)
edits = {}; conflicts = []; failed = []
lock = threading.Lock()
def work(q):
    s = Server(); opened = set()
    while True:
        try: row = q.get_nowait()
        except queue.Empty: break
        mod, qual, new = row
        at = find(mod, qual)
        if at is None: failed.append((row,"not found")); continue
        path, ln, col, old = at
        uri = path.as_uri()
        if uri not in opened:
            s.send({"method":"textDocument/didOpen","params":{"textDocument":{"uri":uri,"languageId":"python","version":1,"text":path.read_text()}}}); opened.add(uri)
        t=time.time()
        try: r = s.call("textDocument/rename", {"textDocument":{"uri":uri},"position":{"line":ln,"character":col},"newName":new})
        except TimeoutError: failed.append((row,"timeout")); continue
        res = r.get("result")
        if not res: failed.append((row, str(r.get("error"))[:200])); continue
        changes = res.get("changes") or {d["textDocument"]["uri"]: d["edits"] for d in res.get("documentChanges",[])}
        with lock:
            for u, es in changes.items():
                f = urllib.parse.unquote(u[7:])
                for e in es:
                    k = (f, e["range"]["start"]["line"], e["range"]["start"]["character"], e["range"]["end"]["character"])
                    if k in edits and edits[k] != e["newText"]: conflicts.append((k, edits[k], e["newText"], row)); continue
                    edits[k] = e["newText"]
        if os.environ.get("VERBOSE"): print(row, round(time.time()-t,2), sum(map(len,changes.values())), flush=True)
    s.p.terminate(); s.p.wait()
q = queue.Queue()
for r in sorted(set(rows)): q.put(r)
ts = [threading.Thread(target=work, args=(q,)) for _ in range(int(os.environ.get("SERVERS","1")))]
t0=time.time()
for t in ts: t.start()
for t in ts: t.join()
print(len(rows), "rows", len(edits), "edits", round(time.time()-t0), "s;", len(conflicts), "conflicts", len(failed), "failed")
for c in conflicts: print("CONFLICT", c)
for f in failed: print("FAILED", f)
byfile = collections.defaultdict(list)
for (f, l, a, b), new in edits.items(): byfile[f].append((l, a, b, new))
if os.environ.get("APPLY"):
    for f, es in byfile.items():
        lines = pathlib.Path(f).read_bytes().decode().split("\n")
        for l, a, b, new in sorted(es, reverse=True):
            u = lines[l].encode("utf-16-le")
            lines[l] = (u[:2*a] + new.encode("utf-16-le") + u[2*b:]).decode("utf-16-le")
        pathlib.Path(f).write_bytes("\n".join(lines).encode())

