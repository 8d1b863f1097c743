// Our plugin in a host that says again what a real one has said: each recorded hook in its order, its answer on standard output.
// Arguments: the plugin's folder, its settings, the state folder, the host's version. Standard input: the recording, a line each.
import { createInterface } from "node:readline";

const [folder, settings, state, version] = process.argv.slice(2);
const { default: plugin } = await import(`${folder}/index.js`);
const handlers = {};
const logger = { info() {}, debug() {}, warn: (text) => console.log(JSON.stringify({ warned: text })) };
plugin.register({
  pluginConfig: JSON.parse(settings),
  config: {
    agents: { defaults: { workspace: `${state}/workspace` } },
    plugins: { entries: { holdfast: { hooks: { allowConversationAccess: true } } } },
  },
  runtime: { version, state: { resolveStateDir: () => state } },
  registrationMode: "full",
  logger,
  on: (name, handler) => (handlers[name] = handler),
  registerTool() {},
  registerCommand() {},
});
for await (const line of createInterface({ input: process.stdin })) {
  const { hook, event, ctx } = JSON.parse(line);
  const answer = await handlers[hook]?.(event, ctx);
  console.log(JSON.stringify({ hook, session: ctx?.sessionKey, trigger: ctx?.trigger, answer: answer ?? null }));
}
