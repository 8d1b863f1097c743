"""How long OpenClaw's prompts wait for us, in the real gateway.

    python bench/gateway.py [VERSION]

A second plugin notes the moment before and after ours in `before_prompt_build`, which hosts run one after the other, by
priority. Between the two stands nothing but our hook. The first prompt of a gateway that has just started, prompts with a topic,
and prompts with a brief after a boundary are told apart.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from hosts.gateway import Gateway  # type: ignore[import-not-found]

ROUNDS = 15
PROBE = """
import { appendFileSync } from "node:fs";
const told = (what) => () => { appendFileSync(process.env.PROBED, `${what} ${performance.now()}\\n`); };
export default {
  id: "probe",
  name: "probe",
  register(api) {
    api.on("before_prompt_build", told("before"), { priority: 1000000 });
    api.on("before_prompt_build", told("after"), { priority: -1000000 });
  },
};
"""
MANIFEST = {"id": "probe", "name": "probe", "activation": {"onStartup": True}, "configSchema": {"type": "object"}}
PACKAGE = {"name": "probe", "version": "0.0.0", "type": "module", "openclaw": {"extensions": ["./index.js"]}}
SNAP = 'CALL: context_snap {"action": "checkpoint", "topic": "lamp", "status": "rates are in", "decisions": ["7 percent"]}'


def main(version: str = "2026.9.6") -> None:
    """Prompts in a real gateway, and how long each waited."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as name:
        folder = Path(name)
        gateway, times = Gateway(version, folder / "gateway"), folder / "times"
        _add_probe(gateway, folder / "probe", times)
        try:
            gateway.start()
            gateway.turn("good morning")
            waited = {"the first prompt of a gateway": _waits(times)[:1]}
            gateway.turn(SNAP)
            seen = len(_waits(times))
            for _ in range(ROUNDS):
                gateway.turn("go on")
            waited["a prompt with its topic"] = _waits(times)[seen:]
            briefs = []
            for number in range(5):
                session = f"agent:main:s{number}"
                for text in ("set the reduced rate to 7 percent, and never touch the old invoices", "is it set?"):
                    gateway.turn(text, session)
                gateway.says("/compact", session)
                gateway.settled(session, "after_compaction")
                seen = len(_waits(times))
                gateway.turn("go on", session)
                briefs += _waits(times)[seen : seen + 1]
            waited["a prompt with a brief"] = briefs
        finally:
            gateway.stop()
            gateway.model.close()
    for what, found in waited.items():
        print(f"{what}: median {statistics.median(found):.0f} ms, most {max(found):.0f} ms, of {len(found)}")


def _add_probe(gateway: Gateway, folder: Path, times: Path) -> None:
    folder.mkdir()
    (folder / "index.js").write_text(PROBE)
    (folder / "openclaw.plugin.json").write_text(json.dumps(MANIFEST))
    (folder / "package.json").write_text(json.dumps(PACKAGE))
    plugins = gateway.config["plugins"]
    plugins["load"]["paths"].append(str(folder))
    plugins["entries"]["probe"] = {"enabled": True, "hooks": {"allowConversationAccess": True}}
    gateway.write_config()
    gateway.env["PROBED"] = str(times)


def _waits(times: Path) -> list[float]:
    """The milliseconds between each before and its after."""
    moments = [line.split() for line in times.read_text().splitlines()]
    pairs = zip(moments[::2], moments[1::2], strict=False)
    return [float(after[1]) - float(before[1]) for before, after in pairs if (before[0], after[0]) == ("before", "after")]


if __name__ == "__main__":
    main(*sys.argv[1:])
