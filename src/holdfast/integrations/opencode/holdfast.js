// Holdfast in opencode: the brief goes into the system prompt, and every turn is saved. `holdfast uninstall opencode` removes it.
//
// A thin plugin: it tells `holdfast hook opencode EVENT` what has happened, as JSON on stdin, and passes on what that prints.
// Whatever goes wrong there (no such command, a crash, a disk that hangs), opencode goes on as if this file were not here: it
// waits two seconds at most, ten at a compaction, and then nothing is said.
//
// What stands in the system prompt is not kept in the conversation, and it is the head of every request. So the brief is said
// again with each request, byte by byte the same, until a compaction has made another one due: prompt caches hold.
//
// opencode writes no system prompt down. So that a brief that does not arrive is known all the same, what a request is made of
// is looked at when it is made, and what became of our texts is told, by their marks, at the end of the turn.

import { spawn } from "node:child_process"

const COMMAND = ["holdfast"]
const PATIENCE = 2000 // milliseconds for which a request may wait for us
const AT_COMPACTION = 10000 // and for which a compaction may: the summary itself takes longer
const LONGEST = 60000 // and after which a command that still runs is ended

export const Holdfast = async ({ client, directory }) => {
  const begun = new Set() // sessions that were begun while this process ran; any other one is resumed
  const aside = new Set() // sessions of subagents, which are left alone
  const used = new Set() // sessions with a turn that may not be in their day yet
  const compacted = new Set() // sessions whose next request comes after a compaction
  const automatic = new Map() // session → whether opencode began its last compaction by itself
  const attended = process.argv[2] !== "run" // nobody can answer what `opencode run` prints
  const briefs = new Map() // session → { text }
  const asking = new Map() // session → the system prompt of the request that is being made, and our text in it
  const beside = new Map() // session → our text beside a prompt
  const seen = new Map() // session → { mark: what became of that text since the last prompt }
  const running = new Set()
  let internal // the prompts of opencode's own agents: titles, summaries

  const hook = (event, session, more = {}) => {
    const done = new Promise((resolve) => {
      const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "opencode", event], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        detached: true, // so that a save is not torn off when opencode ends
      })
      let text = ""
      const late = setTimeout(() => child.kill("SIGKILL"), LONGEST)
      late.unref?.()
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (part) => (text += part))
      child.stdin.on("error", () => {}) // it has not read all of it; its exit code tells the rest
      child.on("error", () => (clearTimeout(late), resolve("")))
      child.on("close", (code) => (clearTimeout(late), resolve(code === 0 ? text : "")))
      child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: session, cwd: directory, attended, ...more }))
    }).catch(() => "")
    running.add(done)
    done.then(() => running.delete(done))
    return done
  }

  const waited = (promise, patience = PATIENCE) => {
    let timer
    const late = new Promise((resolve) => (timer = setTimeout(resolve, patience, "")))
    return Promise.race([promise, late]).finally(() => clearTimeout(timer))
  }

  const trigger = (session) => (automatic.has(session) ? (automatic.get(session) ? "auto" : "manual") : undefined)

  // A brief that comes too late for this request is said with the next one: nobody waits for it twice.
  const brief = async (session) => {
    if (!briefs.has(session)) {
      const known = { text: "" }
      briefs.set(session, known)
      const after = compacted.delete(session)
      const source = after ? "compact" : begun.has(session) ? "startup" : "resume"
      const told = hook("start", session, { source, trigger: after ? trigger(session) : undefined })
      await waited(told.then((text) => (known.text = text)), after ? AT_COMPACTION : PATIENCE)
    }
    return briefs.get(session).text
  }

  const isInternal = async (system) => {
    const asked = client.app.agents().then((found) => found.data.filter((agent) => agent.hidden && agent.prompt))
    internal ??= (await waited(asked.catch(() => []))) || []
    return internal.some((agent) => system[0]?.startsWith(agent.prompt))
  }

  const ours = (session) => session && !aside.has(session)

  const look = (session, text, parts) => {
    const [line, mark] = text.match(/^--- memory (\w+) ---$/m) ?? []
    if (!mark || seen.get(session)?.[mark] === "arrived") return // the same brief may stand in two places
    const is = parts.some((part) => part.includes(text)) ? "arrived" : parts.some((part) => part.includes(line)) ? "cut" : "vanished"
    seen.set(session, { ...seen.get(session), [mark]: is })
  }

  const over = (event, session) => hook(event, session, { seen: seen.get(session) })

  return {
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (!ours(sessionID) || (await isInternal(system))) return
      const text = await brief(sessionID)
      if (!text) return
      system.push(text)
      asking.set(sessionID, { system, text })
    },
    // Every plugin has changed the system prompt by now; the next thing is the request.
    "chat.params": async ({ sessionID, agent }) => {
      const made = asking.get(sessionID)
      if (!made || internal?.some((other) => other.name === agent)) return
      asking.delete(sessionID)
      look(sessionID, made.text, made.system)
    },
    "experimental.chat.messages.transform": async (_, { messages }) => {
      const session = messages.at(-1)?.info.sessionID
      if (!beside.has(session)) return
      const parts = messages.flatMap((message) => message.parts).filter((part) => part.type === "text")
      look(session, beside.get(session), parts.map((part) => part.text))
      beside.delete(session)
    },
    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      if (!ours(sessionID)) return
      const names = await waited(hook("before-compaction", sessionID, { trigger: trigger(sessionID) }), AT_COMPACTION)
      if (names) context.push(names)
      compacted.add(sessionID)
      briefs.delete(sessionID)
    },
    // What the agent sets by a command (`holdfast decide …`) is of this session, and in its next brief.
    "shell.env": async ({ sessionID }, { env }) => {
      if (ours(sessionID)) env.HOLDFAST_SESSION = sessionID
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      if (!ours(sessionID)) return
      used.add(sessionID)
      seen.delete(sessionID)
      const said = parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = said.map((part) => part.text).join("\n")
      const text = prompt && (await waited(hook("prompt", sessionID, { prompt })))
      if (!text) return
      beside.set(sessionID, text)
      parts.push({ ...said.at(-1), id: `${parts.at(-1).id}h`, messageID: message.id, text, synthetic: true })
    },
    event: async ({ event: { type, properties } }) => {
      if (type === "session.created") (properties.info.parentID ? aside : begun).add(properties.info.id)
      else if (type === "session.idle" && ours(properties.sessionID)) over("turn", properties.sessionID)
      else if (type === "message.part.updated" && properties.part?.type === "compaction")
        automatic.set(properties.part.sessionID, properties.part.auto === true)
      else if (type === "session.compacted" && ours(properties.sessionID)) hook("after-compaction", properties.sessionID)
    },
    dispose: async () => {
      await waited(Promise.all(running), PATIENCE / 2) // a turn that is being saved comes before the end
      for (const session of used) over("end", session)
      await waited(Promise.all(running), PATIENCE / 2)
    },
  }
}
