// The way to `holdfast`: one child that stays and answers line by line, started when it is about to be needed and again when it has
// died, and for a call that it does not answer a process of its own. Nothing here throws: what got no answer resolves to undefined.
//
// Every process is ended by its own handle. The child that stays ends by itself when its standard input closes: with the gateway,
// however that ends, and after a rest in which nobody asked.
import { spawn } from "node:child_process";

const REST = 600_000; // ms without a question after which the child is let go
const STUCK = 15_000; // ms for one answer after which the child is taken for hung
const RETRY = 60_000; // ms in which prompts do not wait again for a holdfast that three in a row have waited for in vain
const IN_VAIN = 3;
// What the child gets of the gateway's environment. Keys and tokens of other services are none of its business.
const PASSED = /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|PYTHON\w*|VIRTUAL_ENV|HOLDFAST_\w+|OPENCLAW_(WORKSPACE|STATE_DIR))$/;

export class Bridge {
  #command;
  #env;
  #log;
  #child;
  #waiting = new Map(); // id → {resolve, reject}
  #number = 0;
  #resting;
  #inVain = 0;
  #notBefore = 0;

  constructor(command, more, log) {
    this.#command = command;
    this.#env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name))), ...more };
    this.#log = log;
  }

  /** Whether prompts go out without asking, for a while. */
  get rests() {
    return Date.now() < this.#notBefore;
  }

  /** Have the child up before a prompt asks for it: then that waits for the answer alone. */
  wake() {
    if (!this.#child && !this.rests) this.#resident({ event: "wake" }).catch(() => {}); // why not, the prompt will say
  }

  /** For a prompt, which waits for it: an answer within so many ms, or none. A child that is slow to answer gets company. */
  async quickly(said, within, patience) {
    if (this.rests) return undefined;
    const answer = await this.#asked(said, within, patience, false);
    this.#inVain = answer ? 0 : this.#inVain + 1;
    if (this.#inVain >= IN_VAIN) {
      this.#notBefore = Date.now() + RETRY;
      this.#log.warn(`holdfast: no answer ${this.#inVain} times in a row; prompts go without memory for ${RETRY / 1000} s`);
    }
    return answer;
  }

  /** For everything else. A child that does not answer is ended, for it may hold the lock, and another process is asked. */
  surely(said, within = 25_000, patience = 12_000) {
    return this.#asked(said, within, patience, true);
  }

  #asked(said, within, patience, ends) {
    const begun = Date.now();
    return new Promise((resolve) => {
      let fellBack = false;
      const settle = (answer) => {
        clearTimeout(late);
        clearTimeout(slow);
        resolve(answer);
      };
      const fallBack = (why, hangs) => {
        if (fellBack) return;
        fellBack = true;
        this.#log.debug?.(`holdfast: ${why}; a process of its own is asked`);
        if (ends && hangs) this.#end(why); // one that has died may be followed by another already
        this.#once(said, within - (Date.now() - begun)).then(settle, (error) => {
          this.#log.warn(`holdfast: ${error.message}`);
          if (ends || !this.#waiting.size) settle(undefined);
        });
      };
      const late = setTimeout(() => settle(undefined), within);
      const slow = setTimeout(() => fallBack("the child is slow", true), patience);
      this.#resident(said).then(settle, (error) => fallBack(error.message));
    });
  }

  #resident(said) {
    return new Promise((resolve, reject) => {
      const child = (this.#child ??= this.#start());
      const id = ++this.#number;
      const stuck = setTimeout(() => this.#end("the child hangs"), STUCK);
      stuck.unref();
      const once = (settle) => (value) => {
        clearTimeout(stuck);
        this.#waiting.delete(id);
        settle(value);
      };
      this.#waiting.set(id, { resolve: once(resolve), reject: once(reject) });
      child.stdin.write(`${JSON.stringify({ ...said, id })}\n`);
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.close(), REST);
      this.#resting.unref();
    });
  }

  #start() {
    const child = spawn(this.#command[0], [...this.#command.slice(1), "hook", "openclaw", "--stay"], { env: this.#env });
    const gone = (why) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      for (const { reject } of [...this.#waiting.values()]) reject(new Error(why));
    };
    child.on("error", (error) => gone(`${this.#command[0]} could not be started: ${error.message}`));
    child.on("exit", (code, signal) => gone(`the child has ended (${signal ?? code})`));
    child.stdin.on("error", () => {}); // told by its end
    child.stderr.resume();
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) this.#heard(line);
    });
    // The gateway, or a run from the command line, does not stay for its sake: who waits for an answer has a timer that does.
    for (const one of [child, child.stdin, child.stdout, child.stderr]) one.unref?.();
    return child;
  }

  #heard(line) {
    try {
      const { id, ...answer } = JSON.parse(line);
      this.#waiting.get(id)?.resolve(answer);
    } catch {
      this.#log.warn("holdfast: a line that is no answer was passed over");
    }
  }

  #end(why) {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    child.kill("SIGKILL");
    for (const { reject } of [...this.#waiting.values()]) reject(new Error(why));
  }

  #once(said, within) {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#command[0], [...this.#command.slice(1), "hook", "openclaw"], { env: this.#env });
      const late = setTimeout(() => child.kill("SIGKILL"), Math.max(within, 0));
      let text = "";
      child.on("error", (error) => (clearTimeout(late), reject(new Error(`${this.#command[0]} could not be started: ${error.message}`))));
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8").on("data", (more) => (text += more));
      child.stderr.resume();
      child.on("close", (code, signal) => {
        clearTimeout(late);
        try {
          resolve(JSON.parse(text));
        } catch {
          reject(new Error(`no answer from ${this.#command.join(" ")} (${signal ?? code})`));
        }
      });
      child.stdin.end(JSON.stringify(said));
    });
  }

  /** Let the child go: it ends when it has answered what it was asked. */
  close() {
    clearTimeout(this.#resting);
    const child = this.#child;
    this.#child = undefined;
    child?.stdin.end();
  }
}
