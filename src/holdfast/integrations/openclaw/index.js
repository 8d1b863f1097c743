// Holdfast in OpenClaw: a bridge. Each hook, tool and command says what the host said, and does with the answer what stands there;
// all thought is on the other side (holdfast/hooks/gateway.py). A hook that fails is logged and never stops the host.
import { readFileSync } from "node:fs";
import { Bridge } from "./bridge.js";
import { paused, scheduled } from "./reviews.js";

const WITHIN = 2000; // ms that a prompt waits at the very worst
const PATIENCE = 400; // ms after which the child that stays gets company
const MANY = 500; // entries of what is remembered between hooks; then the oldest goes
const UNTOLD = 20; // prompts that went out without memory and that nobody could be told of yet
const beside = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const TOOLS = beside("./tools.json");
const { version: VERSION } = beside("./package.json");
const OURS = ["contextDir", "maxHistoryLines", "maxDecisions", "briefMaxChars"]; // settings that holdfast itself knows
const SUPPLEMENT = [
  "## Memory that survives compaction (Holdfast)",
  "Before you say that you do not remember, call holdfast_recall. Checkpoint with context_snap after a decision, at a milestone and before switching tasks.",
];

// The host registers a plugin several times in one process. What was remembered, and the child, are had once for all of them.
const shared = (globalThis[Symbol.for("holdfast.openclaw")] ??= { bridges: new Map(), warned: false });
const untold = (shared.untold ??= []); // what was said of those prompts
const runs = new Map(); // run → {mark, given, arrived, missing}: what was put into its prompt, and whether it was in its request
const counts = new Map(); // session → messages before its compaction
const folders = new Map(); // session → workspace; not every hook is told
const traces = new Map(); // trace → session: the host's own memory flush runs under another key, in the trace of a turn
const unnamed = new Map(); // flushes of which the session is not known yet
const known = (shared.known ??= new Set()); // workspaces with a memory, which were told that the plugin is loaded
const compacting = new Map(); // session → what was said of it, from before its compaction until after it

const remember = (map, key, value) => {
  if (!key || value === undefined) return;
  map.delete(key);
  map.set(key, value);
  if (map.size > MANY) map.delete(map.keys().next().value);
};

/** The settings that holdfast itself knows, as it takes them from its environment. */
const forHoldfast = (settings) => JSON.stringify(Object.fromEntries(OURS.filter((name) => name in settings).map((name) => [name, settings[name]])));

const bridgeTo = (api, settings) => {
  const command = [settings.command ?? "holdfast"].flat();
  const more = { HOLDFAST_SETTINGS: forHoldfast(settings) };
  try {
    more.OPENCLAW_STATE_DIR = api.runtime.state.resolveStateDir();
  } catch {
    // an old host: its state is where it always was
  }
  const key = JSON.stringify([command, more]);
  if (!shared.bridges.has(key)) shared.bridges.set(key, new Bridge(command, more, api.logger));
  return shared.bridges.get(key);
};

/** Who speaks, in the words of the other side. Every field may be missing: hooks differ, and versions do. */
const speaker = (api, settings) => (event, ctx) => {
  const sessionKey = ctx.sessionKey ?? event.sessionKey;
  const agentId = ctx.agentId ?? /^agent:([^:]+):/.exec(sessionKey ?? "")?.[1] ?? "main";
  remember(folders, sessionKey, ctx.workspaceDir);
  return {
    sessionKey,
    agentId,
    sessionId: ctx.sessionId ?? event.sessionId,
    sessionFile: event.sessionFile ?? ctx.sessionFile,
    workspace: ctx.workspaceDir ?? folders.get(sessionKey) ?? configuredFolder(api, agentId),
    trigger: ctx.trigger,
    provenance: ctx.inputProvenance?.kind,
    ignoreSessions: settings.ignoreSessions,
  };
};

const configuredFolder = (api, agentId, config = api.config) => {
  try {
    return api.runtime.agent.resolveAgentWorkspaceDir(config, agentId);
  } catch {
    return config?.agents?.defaults?.workspace;
  }
};

/** Whether the host lets our prompt hook run: until 2026.7 always, since then where the owner has allowed it. */
const hasAccess = (api) => {
  const [year, month] = String(api.runtime?.version ?? "9999.0").split(".").map(Number);
  return api.config?.plugins?.entries?.holdfast?.hooks?.allowConversationAccess === true || year * 100 + month < 202608;
};
const mayInject = (api) => hasAccess(api) && api.config?.plugins?.entries?.holdfast?.hooks?.allowPromptInjection !== false;

const warnOnce = (api) => {
  if (shared.warned || hasAccess(api)) return;
  shared.warned = true;
  api.logger.warn(
    "holdfast: OpenClaw lets this plugin neither inject memory nor save turns. Set plugins.entries.holdfast.hooks.allowConversationAccess " +
      "to true (`holdfast init openclaw` does). Until then only compactions and resets are saved.",
  );
};

/** The folders that the gateway's agents work in. */
const workspaces = (api, ctx) => {
  const config = ctx.config ?? api.config ?? {};
  const { entries, list } = config.agents ?? {};
  const named = [...Object.keys(entries ?? {}), ...(Array.isArray(list) ? list.map((one) => one?.id) : [])];
  const every = (named.length ? named : ["main"]).map((agentId) => configuredFolder(api, agentId, config));
  return [...new Set([ctx.workspaceDir, ...every].filter(Boolean))];
};

const hooks = (api, settings, bridge) => {
  const of = speaker(api, settings);
  const messagesOf = (event) => (Array.isArray(event.messages) ? event.messages : undefined);

  /** Say it; where the other side cannot read the host's own record, it is given the messages themselves. */
  const tell = async (said, messages) => {
    const answer = await bridge.surely({ ...said, handsOver: Boolean(messages) });
    if (answer?.error) api.logger.warn(`holdfast: ${answer.error}`);
    return answer?.want === "messages" ? bridge.surely({ ...said, messages }) : answer;
  };

  /** Say that a prompt went out without memory; where nobody hears it, as soon as somebody answers again. */
  const drop = async (said) => {
    const kept = { ...said, reason: `${said.reason}, at ${new Date().toISOString()}`, late: true };
    untold.push(kept);
    untold.splice(0, untold.length - UNTOLD);
    if ((await bridge.surely(said)) && untold.includes(kept)) untold.splice(untold.indexOf(kept), 1);
  };

  /** The session that the host's own memory flush is about. Some flushes run before their turn does: these have a name of their own
      (`flush:<trace>`) until the turn begins. */
  const flushed = (ctx) => {
    if (!/:internal-session-effects:/.test(ctx.sessionKey ?? "")) return ctx.sessionKey;
    const trace = ctx.trace?.traceId;
    return traces.get(trace) ?? (trace && `flush:${trace}`);
  };

  /** Say that a flush begins or has ended: what it writes into the day in between is of that session. */
  const tellOfFlush = async (event, ctx, reason) => {
    const sessionKey = flushed(ctx);
    if (!sessionKey) return;
    const who = of(event, { ...ctx, sessionKey, sessionId: undefined, trigger: undefined, inputProvenance: undefined });
    if (reason === "ended" && sessionKey.startsWith("flush:")) remember(unnamed, sessionKey, true);
    await bridge.quickly({ event: "memory_flush", ...who, reason }, WITHIN, PATIENCE);
  };

  /** Say which session a flush was about, as soon as a turn begins in its trace. */
  const nameFlush = async (event, ctx) => {
    remember(traces, ctx.trace?.traceId, ctx.sessionKey);
    const name = `flush:${ctx.trace?.traceId}`;
    if (unnamed.delete(name)) await bridge.quickly({ event: "memory_flush", ...of(event, ctx), reason: "named", words: name }, WITHIN, PATIENCE);
  };

  /** Say that the plugin is loaded, and have the reviews scheduled. One after the other: two that look at the same moment would both
      find no job, and add it twice. */
  const announce = (event, ctx) => {
    const about = { plugin: VERSION, gateway: String(api.runtime?.version ?? ""), workspaces: workspaces(api, ctx) };
    const wanted = { command: [settings.command ?? "holdfast"].flat(), weeklyReview: settings.weeklyReview };
    const said = { event: "gateway_start", ...of(event, ctx), ...about, ...wanted };
    const work = async () => {
      const answer = await tell(said);
      for (const workspace of answer?.workspaces ?? []) known.add(workspace);
      if (answer) await scheduled(ctx.getCron?.(), answer.reviews ?? [], settings.weeklyReview, api.logger);
      await paused(ctx.getCron?.(), settings.pausedJobs, api.logger);
    };
    const before = shared.scheduling;
    shared.scheduling = Promise.allSettled([before])
      .then(work)
      .catch((error) => api.logger.warn(`holdfast: gateway_start: ${error?.message ?? error}`));
  };

  return {
    /** Loaded: that is said, and the reviews are scheduled. Beside the host: it takes a plugin that is slow here for one that is broken,
        puts the old one back and starts anew. */
    gateway_start(event, ctx) {
      known.clear();
      shared.started = [event, ctx];
      announce(event, ctx);
    },
    /** The first that is heard of a turn. What it takes the host to get to the prompt is enough to start the child. */
    before_model_resolve() {
      bridge.wake();
    },
    async before_prompt_build(event, ctx) {
      if (ctx.trigger === "memory") {
        await tellOfFlush(event, ctx, "begins");
        return undefined;
      }
      await nameFlush(event, ctx);
      const said = { event: "before_prompt_build", ...of(event, ctx), prompt: String(event.prompt ?? "").slice(0, 4000) };
      compacting.delete(said.sessionKey); // of one that failed nobody tells
      const rests = bridge.rests;
      const begun = Date.now();
      const answer = await bridge.quickly(said, WITHIN, PATIENCE);
      if (!answer) {
        const reason = rests ? "it did not answer the prompts before this one" : `no answer within ${Date.now() - begun} ms`;
        api.logger.warn(`holdfast: ${reason}; nothing was injected`);
        drop({ ...said, event: "dropped", reason });
        return undefined;
      }
      for (const one of untold.splice(0)) bridge.surely(one); // somebody answers again
      if (answer.error) api.logger.warn(`holdfast: ${answer.error}`);
      const given = { ...(answer.topicMark && { topic: answer.topicMark }), ...(answer.mark && { brief: answer.mark }) };
      remember(runs, ctx.runId, { mark: answer.mark, given, arrived: [], missing: [] });
      return answer.system || answer.context
        ? { ...(answer.system && { appendSystemContext: answer.system }), ...(answer.context && { prependContext: answer.context }) }
        : undefined;
    },
    llm_input(event, ctx) {
      const run = runs.get(event.runId ?? ctx.runId);
      if (!run) return;
      // Not every version shows the system part: of what stands there nothing is known then, and that is no sign that it is missing.
      const texts = { topic: event.systemPrompt, brief: event.prompt };
      const shown = Object.keys(run.given).filter((part) => typeof texts[part] === "string");
      run.arrived = shown.filter((part) => texts[part].includes(run.given[part]));
      run.missing = shown.filter((part) => !run.arrived.includes(part));
    },
    async llm_output(event, ctx) {
      if (ctx.trigger === "memory") await tellOfFlush(event, ctx, "ended");
    },
    async agent_end(event, ctx) {
      const run = runs.get(event.runId ?? ctx.runId);
      runs.delete(event.runId ?? ctx.runId);
      const said = { event: "agent_end", ...of(event, ctx), success: event.success !== false };
      const { arrived = [], missing = [] } = run ?? {};
      await tell({ ...said, delivered: arrived.includes("brief") ? run.mark : "", arrived, missing }, messagesOf(event));
      // The first turn makes the memory of a workspace. When the gateway started there was none, and nothing to review.
      if (shared.started && said.workspace && !known.has(said.workspace)) {
        known.add(said.workspace);
        announce(...shared.started);
      }
    },
    async before_compaction(event, ctx) {
      const who = of(event, ctx);
      const before = event.messageCount > 0 ? event.messageCount : (messagesOf(event)?.length ?? 0);
      remember(counts, who.sessionKey, before);
      remember(compacting, who.sessionKey, who);
      await tell({ event: "before_compaction", ...who, before }, messagesOf(event));
    },
    async after_compaction(event, ctx) {
      const who = of(event, ctx);
      const after = event.messageCount > 0 ? event.messageCount : 0;
      const before = counts.get(who.sessionKey) ?? after + (event.compactedCount ?? 0);
      counts.delete(who.sessionKey);
      compacting.delete(who.sessionKey);
      await tell({ event: "after_compaction", ...who, before, after, seesFlushes: traces.size > 0 });
    },
    async before_reset(event, ctx) {
      const messages = messagesOf(event);
      await tell({ event: "before_reset", ...of(event, ctx), reason: event.reason, before: messages?.length ?? 0 }, messages);
    },
    /** A `holdfast` that the agent runs by itself then means this session, and this memory. Elsewhere than here the folder is another. */
    resolve_exec_env(event, ctx) {
      const { sessionKey, workspace } = of(event, ctx);
      if ((event.host ?? "gateway") !== "gateway" || !sessionKey || !workspace) return undefined;
      const own = forHoldfast(settings); // so that it looks for topics where the plugin keeps them
      return { OPENCLAW_SESSION_ID: sessionKey, OPENCLAW_WORKSPACE: workspace, ...(own !== "{}" && { HOLDFAST_SETTINGS: own }) };
    },
    async session_start(event, ctx) {
      await tell({ event: "session_start", ...of(event, ctx), resumedFrom: event.resumedFrom });
    },
    async session_end(event, ctx) {
      await tell({ event: "session_end", ...of(event, ctx), reason: event.reason });
    },
  };
};

const tool = (about, who, bridge) => ({
  ...about,
  async execute(_call, params) {
    const answer = await bridge.surely({ event: "tool", tool: about.name, given: params ?? {}, ...who });
    if (!answer) throw new Error("Holdfast did not answer. Whether this was saved is not known; what was saved before is intact. Call again.");
    if (answer.failed || answer.error) throw new Error(answer.text ?? answer.error);
    return { content: [{ type: "text", text: answer.text }] };
  },
});

const command = (name, api, settings, bridge) => ({
  name,
  description: "Memory: status (default), save [TOPIC], recall [WORDS | back [N]]",
  acceptsArgs: true,
  async handler(ctx) {
    const answer = await bridge.surely({ event: "command", words: ctx.args ?? "", ...speaker(api, settings)({}, ctx) });
    const text = answer?.text ?? answer?.error ?? "Holdfast did not answer. What was saved before is intact; run `holdfast status` in a terminal.";
    // After a save the agent goes on: the prompt hook of that turn hands it the template, and it tells the user. Hosts that do not
    // know `continueAgent` show the text.
    return answer?.goOn && mayInject(api) ? { text, continueAgent: true } : { text };
  },
});

/** The checkpoint as the summary. It is not told whose messages it gets: with two compactions at once, the host's own model does it. */
const provider = (bridge) => ({
  id: "holdfast",
  label: "Holdfast (the checkpoint, no model)",
  async summarize() {
    const [who, ...others] = compacting.values();
    const answer = who && !others.length ? await bridge.surely({ event: "summarize", ...who }) : undefined;
    if (!answer?.text) throw new Error("holdfast has no summary for this; the host makes its own");
    return answer.text;
  },
});

export default {
  id: "holdfast",
  name: "Holdfast",
  description: "The memory that lets a long-running agent survive compaction, reset and crash",
  register(api) {
    const settings = api.pluginConfig ?? {};
    const bridge = bridgeTo(api, settings);
    if (api.registrationMode === undefined || api.registrationMode === "full") warnOnce(api);
    for (const [name, handler] of Object.entries(hooks(api, settings, bridge))) {
      api.on(name, async (event, ctx) => {
        try {
          return await handler(event ?? {}, ctx ?? {});
        } catch (error) {
          api.logger.warn(`holdfast: ${name}: ${error?.message ?? error}`);
          return undefined;
        }
      });
    }
    for (const about of TOOLS) {
      api.registerTool((ctx) => tool(about, speaker(api, settings)({}, ctx), bridge), { name: about.name });
    }
    for (const name of ["holdfast", "big-memory"]) api.registerCommand(command(name, api, settings, bridge));
    if (settings.compactionProvider) api.registerCompactionProvider?.(provider(bridge));
    if (settings.promptSupplement) api.registerMemoryPromptSupplement?.(() => SUPPLEMENT);
  },
};
