#!/usr/bin/env bash
# Apply the plan of plain names to a clean clone: apply.sh TREE. Needs basedpyright on the PATH and TREE/.venv (make check).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
cat > pyrightconfig.json <<'P'
{"include":["src","tests","bench"],"extraPaths":["src","tests"],"typeCheckingMode":"off","useLibraryCodeForTypes":false,"pythonVersion":"3.11"}
P
python3 "$here/patch_strings.py" "$PWD"
APPLY=1 SERVERS=2 python3 "$here/lsp_rename.py" "$PWD" "$here/names.tsv"
rm pyrightconfig.json
sed -i 's/^line-length = 130/line-length = 100/; s/"RUF001", "RUF002", "RUF003", /"E501", "SIM905", "RUF001", "RUF002", "RUF003", /' pyproject.toml
sed -i 's|^"tests/lab/\*\*" = \["D"\]|"tests/lab/**" = ["D"]\n"bench/**" = ["S311"]\n"src/holdfast/search/queries.py" = ["S608"]\n"src/holdfast/transcripts/openclaw.py" = ["S608"]\n"src/holdfast/transcripts/opencode.py" = ["S608"]|' pyproject.toml
python3 "$here/move.py" "$PWD" "$here/modules.map"
for _ in 1 2; do
  python3 "$here/reflow.py" src tests bench
  .venv/bin/ruff check -q --fix --config 'lint.fixable=["I001","F401","RUF100"]' src tests bench || true
  .venv/bin/ruff format -q src tests bench
done
