// The plugin of `service` for opencode. `service init` wrote this file, and `service uninstall` removes it.
/*
 * It brings messages of the team board into open sessions. It needs no package, opens no port and prints nothing. It holds one
 * connection to the delivery daemon for all sessions of its process: docs/extensions.md of the program describes what goes over it.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import net from "node:net";
import { fileURLToPath } from "node:url";

const program = "{service_binary}";
const home = "{service_home}";
const file = fileURLToPath(import.meta.url);

const firstPauseMs = 200;
const longestPauseMs = 5_000;
/** After the daemon refused this plugin, or could not be started. */
const refusedPauseMs = 30_000;
/** How often in a row the daemon is started in vain before the pauses get long. */
const mostStarts = 3;
const longestLine = 128 * 1024;
const noticeMs = 1_000;
/** The daemon waits ten seconds for the answer to a text. */
const takenMs = 2_000;
/** So long a text that opencode took may be on its way into the history. */
const storedMs = 30_000;

export const ServicePlugin = async ({ client }) => {
  const boot = randomUUID();
  /** A session → the session that started it as a subagent, or null. */
  const parents = new Map();
  /** A root session that runs here → its state for the daemon. */
  const sessions = new Map();
  /** A session → what opencode said last of its turns. */
  const statuses = new Map();
  /** The id of a message of ours without an answer → what is known of it. */
  const given = new Map();
  /** A session → the messages that the model call under way has before it, and which of them are ours. */
  const inContext = new Map();
  const daemon = connectionTo(boot, { opened, take });

  // What the daemon asks -----------------------------------------------------------------------------------------------

  /** The connection is there: every session is opened on it. */
  function opened() {
    for (const [session, state] of sessions)
      daemon.send({ op: "open", session, state: state === "busy" ? "busy" : "idle" });
  }

  async function take(line) {
    if (line.event === "deliver") await deliver(line).catch((error) => refuse(line, error));
    if (line.event === "fate") await tellFate(line).catch((error) => refuse(line, error));
    if (line.event === "release" || line.event === "refused") sessions.delete(line.session);
  }

  function refuse({ session, handoff_id }, error) {
    daemon.send({ op: "refused", session, handoff_id, reason: reasonOf(error) });
  }

  /** Gives a text to a session. Idle, it wakes; busy, it joins before the next model call. */
  async function deliver({ session, handoff_id, bundle }) {
    const id = messageId(handoff_id);
    const known = await answerOf(client.session.get({ path: { id: session } }));
    if (known.parentID) throw new Error("it is a subagent's session");
    // Without agent and model opencode takes its defaults: a session in plan mode would run the turn with the right to write.
    const { agent, model } = known;
    const body = {
      messageID: id,
      parts: [{ id: id.replace("msg_", "prt_"), type: "text", text: bundle }],
      ...(agent && { agent }),
      ...(model && { model: { providerID: model.providerID, modelID: model.id } }),
      ...(model?.variant && model.variant !== "default" && { variant: model.variant }),
    };
    given.set(id, { session, handoff_id, at: Date.now(), stored: false, over: false });
    const prompted = answerOf(client.session.promptAsync({ path: { id: session }, body }));
    prompted.catch((error) => {
      given.delete(id);
      daemon.log(`prompting: ${reasonOf(error)}`);
    });
    // While the conversation is compacted opencode takes the text and answers later.
    await Promise.race([prompted, new Promise((go) => setTimeout(go, takenMs))]);
    daemon.send({ op: "received", session, handoff_id });
  }

  async function tellFate({ session, handoff_id }) {
    const fate = await fateOf(session, messageId(handoff_id));
    daemon.send({ op: "fate", session, handoff_id, fate });
  }

  /** What became of a text, by the stored conversation. */
  async function fateOf(session, id) {
    const messages = await answerOf(client.session.messages({ path: { id: session } }));
    const at = (wanted) => messages.findIndex(({ info }) => info.id === wanted);
    const own = at(id);
    if (own >= 0 && messages.some(({ info }) => isAnswer(info) && at(info.parentID) >= own)) {
      given.delete(id);
      return "answered";
    }
    const known = given.get(id);
    if (known && !known.over && Date.now() - known.at < storedMs) return "waiting";
    if (own < 0) return "absent";
    return isBusy(statuses.get(session)) ? "waiting" : "unanswered";
  }

  // What opencode says -------------------------------------------------------------------------------------------------

  async function parentOf(session) {
    if (!parents.has(session)) {
      const { parentID } = await answerOf(client.session.get({ path: { id: session } }));
      parents.set(session, parentID ?? null);
    }
    return parents.get(session);
  }

  async function rootOf(session) {
    const parent = await parentOf(session);
    return parent ? rootOf(parent) : session;
  }

  /** Lets the daemon know of a root session. */
  async function open(session) {
    if (sessions.has(session) || (await parentOf(session)) || sessions.has(session)) return;
    const state = isBusy(statuses.get(session)) ? "busy" : "idle";
    sessions.set(session, state);
    daemon.send({ op: "open", session, state });
    daemon.reach();
  }

  function tell(session, state) {
    if (!sessions.has(session) || sessions.get(session) === state) return;
    sessions.set(session, state);
    daemon.send({ op: state, session });
  }

  async function statusChanged({ sessionID: session, status }) {
    statuses.set(session, status.type);
    if (isBusy(status.type)) {
      if (sessions.has(session)) {
        daemon.reach();
        return tell(session, "busy");
      }
      return open(session);
    }
    const unanswered = [...given.values()].filter((one) => one.session === session && one.stored);
    for (const one of unanswered) one.over = true;
    if (sessions.get(session) !== "busy") return;
    const isFailed = failed.delete(session) || unanswered.length > 0;
    tell(session, isFailed ? "failed" : "idle");
  }

  /** Sessions whose turn that runs has met an error. */
  const failed = new Set();
  function hasFailed(session) {
    if (sessions.get(session) === "busy") failed.add(session);
    else if (sessions.get(session) === "idle") tell(session, "failed");
  }

  function messageChanged(info) {
    const session = info.sessionID;
    if (info.role === "assistant" && info.error) return hasFailed(session);
    if (!isAnswer(info)) return;
    failed.delete(session);
    const { before, ids } = inContext.get(session) ?? {};
    // What changes in an answer from before this call proves nothing of it.
    if (!ids || before.has(info.id)) return;
    for (const id of ids) {
      const known = given.get(id);
      if (!known) continue;
      given.delete(id);
      daemon.send({ op: "answered", session, handoff_id: known.handoff_id });
    }
  }

  const events = {
    "session.status": statusChanged,
    "session.error": ({ sessionID }) => hasFailed(sessionID),
    "session.created": ({ info }) => void parents.set(info.id, info.parentID ?? null),
    "session.deleted": ({ info }) => {
      if (sessions.delete(info.id)) daemon.send({ op: "closed", session: info.id });
    },
    "message.updated": ({ info }) => messageChanged(info),
    "message.part.updated": ({ part }) => {
      const known = given.get(part.messageID);
      if (known) known.stored = true;
    },
  };

  /** A handler that never lets its failure reach opencode. */
  const guarded = (name, handler) => async (input, output) => {
    if (daemon.isOver()) return;
    try {
      await handler(input, output);
    } catch (error) {
      daemon.log(`${name}: ${reasonOf(error)}`);
    }
  };

  /** Opens the session that the person goes on with before its first turn. A slow start answers nothing yet: so it asks again. */
  function resume(pause, tries) {
    setTimeout(
      guarded("resuming", async () => {
        try {
          const session = await resumedSession(client);
          if (session) await open(session);
        } catch (error) {
          if (tries === 1) throw error;
          resume(2_000, tries - 1);
        }
      }),
      pause,
    ).unref();
  }
  resume(500, 15);

  return {
    event: guarded("event", async ({ event }) => events[event.type]?.(event.properties)),
    "experimental.chat.messages.transform": guarded("transform", async (_, { messages }) => {
      const before = new Set(messages.map(({ info }) => info.id));
      const session = messages[0]?.info.sessionID;
      inContext.set(session, { before, ids: [...given.keys()].filter((id) => before.has(id)) });
    }),
    "tool.execute.after": guarded("tool", async ({ sessionID }, output) => {
      if (typeof output?.output !== "string" || !sessions.has(sessionID)) return;
      const notice = await daemon.noticeFor(sessionID);
      if (notice) output.output += `\n\n${notice}`;
    }),
    "shell.env": guarded("environment", async ({ sessionID }, { env }) => {
      if (!sessionID) return;
      const root = await rootOf(sessionID);
      env.SERVICE_SESSION = `opencode:${root}`;
      env.SERVICE_BOOT = boot;
      if (home) env.SERVICE_HOME = home;
      if (root !== sessionID) env.SERVICE_SUBAGENT = sessionID;
      await open(root);
      // The command may start the daemon, and ask it about this session.
      daemon.reach();
    }),
    dispose: guarded("ending", async () => daemon.end()),
  };
};

// The connection -------------------------------------------------------------------------------------------------------

/** The connection to the daemon, which is made again whenever it is lost. `reach` begins that at once. */
function connectionTo(boot, { opened, take }) {
  const wasThere = existsSync(file);
  const unsent = [];
  /** The number of a question → what its answer ends. */
  const asked = new Map();
  let asks = 0;
  let path = "";
  let socket = null;
  let isWelcome = false;
  let isConnecting = false;
  let isOver = false;
  let mayStart = true;
  let startsFirst = true;
  let starts = 0;
  let pause = firstPauseMs;
  let timer;

  function send(line) {
    if (isWelcome) socket.write(`${JSON.stringify(line)}\n`);
  }

  function log(text) {
    if (isWelcome) return send({ op: "log", text });
    unsent.push(text);
    if (unsent.length > 20) unsent.shift();
  }

  /** A session shows itself: the daemon is connected to, and started if it does not run. */
  function reach() {
    if (isOver || isWelcome) return;
    mayStart = true;
    starts = 0;
    pause = firstPauseMs;
    if (isConnecting) return;
    clearTimeout(timer);
    void connect();
  }

  async function connect() {
    // Whoever uninstalls us while opencode runs does not want us back.
    if (wasThere && !existsSync(file)) return end();
    isConnecting = true;
    try {
      if (path === "" || (startsFirst && mayStart)) await start();
      await open();
    } catch (error) {
      isConnecting = false;
      startsFirst = true;
      log(`connecting: ${reasonOf(error)}`);
      again();
    }
  }

  /** Starts the daemon if it does not run, and learns where it listens. */
  async function start() {
    if (!mayStart) throw new Error("the daemon does not run");
    if (++starts >= mostStarts) pause = refusedPauseMs;
    const env = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(OPENCODE|AGENT$|SERVICE_(AGENT|SESSION|BOOT|SUBAGENT)$)/.test(name),
      ),
    );
    if (home) env.SERVICE_HOME = home;
    const printed = await new Promise((resolve, reject) =>
      execFile(program, ["daemon", "start", "--json"], { env, timeout: 20_000 }, (error, stdout) =>
        error ? reject(new Error(`daemon start: ${error.code ?? "failed"}`)) : resolve(stdout),
      ),
    );
    path = JSON.parse(printed).socket;
  }

  function open() {
    return new Promise((resolve, reject) => {
      let rest = "";
      const own = net.connect(path);
      own.setEncoding("utf8");
      own.unref();
      own.on("connect", () => {
        socket = own;
        own.write(
          `${JSON.stringify({ v: 1, op: "hello", harness: "opencode", boot, extension_version: "1" })}\n`,
        );
        resolve();
      });
      own.on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        if (rest.length > longestLine) return own.destroy();
        for (const line of lines) arrived(line);
      });
      own.on("error", reject);
      own.on("close", () => {
        if (socket === own) lost();
      });
    });
  }

  function arrived(text) {
    try {
      const line = JSON.parse(text);
      if (line.error) refused(line.error);
      else if (line.event === "welcome") welcomed();
      else if (line.event === "notice") asked.get(line.ask)?.(line.notice);
      else if (line.event === "stopping") mayStart = false;
      else void take(line);
    } catch (error) {
      log(`a line of the daemon: ${reasonOf(error)}`);
    }
  }

  function refused({ code }) {
    if (code !== "daemon_not_running") pause = refusedPauseMs;
    log(`refused: ${code}`);
  }

  function welcomed() {
    isWelcome = true;
    isConnecting = false;
    startsFirst = false;
    starts = 0;
    pause = firstPauseMs;
    opened();
    for (const text of unsent.splice(0)) send({ op: "log", text });
  }

  function lost() {
    socket = null;
    isWelcome = false;
    isConnecting = false;
    for (const go of asked.values()) go();
    again();
  }

  function again() {
    if (isOver) return;
    timer = setTimeout(() => void connect(), pause);
    timer.unref();
    pause = Math.max(pause, Math.min(pause * 2, longestPauseMs));
  }

  function end() {
    isOver = true;
    clearTimeout(timer);
    send({ op: "goodbye" });
    socket?.end();
  }

  return {
    ...{ send, log, reach, end },
    isOver: () => isOver,
    /** What waits for a session, after one of its tools. Nothing if the daemon does not answer soon. */
    async noticeFor(session) {
      if (!isWelcome) return "";
      const ask = ++asks;
      const notice = await new Promise((go) => {
        asked.set(ask, go);
        setTimeout(go, noticeMs).unref();
        send({ op: "boundary", session, ask });
      });
      asked.delete(ask);
      return notice;
    },
  };
}

// opencode's own words -------------------------------------------------------------------------------------------------

const isBusy = (type) => type !== undefined && type !== "idle";

/** Whether the model answered. A summary is of the whole conversation, and answers nothing in it. */
const isAnswer = (info) =>
  info.role === "assistant" && info.finish && info.time.completed && !info.error && !info.summary;

/** The answer of opencode's client. Its errors are answers too. */
async function answerOf(call) {
  const { data, error } = await call;
  if (error) throw error;
  return data;
}

/** opencode's id for a text in its own form, by which it orders what it shows: 48 bits of time, then chance. */
function messageId(handoff) {
  const digits = handoff.replace("hnd_", "");
  const time = (BigInt(`0x${digits.slice(0, 12)}`) * 4096n) & 0xffffffffffffn;
  return `msg_${time.toString(16).padStart(12, "0")}${digits.slice(18, 32)}`;
}

/** The session that opencode was started to go on with, as far as its words say it. Null for commands without a screen. */
async function resumedSession(client) {
  const words = await ownWords();
  if (words.some((word) => /^(run|serve|web|acp|attach)$/.test(word))) return null;
  const at = words.findIndex((word) => word === "-s" || word === "--session");
  const joined = words.find((word) => word.startsWith("--session="));
  if (joined) return joined.slice("--session=".length);
  if (at >= 0) return words[at + 1];
  if (!words.includes("-c") && !words.includes("--continue")) return null;
  const all = await answerOf(client.session.list());
  const roots = all.filter(({ parentID }) => !parentID);
  return roots.sort((one, other) => other.time.updated - one.time.updated)[0]?.id;
}

/** The words that opencode was started with. A plugin runs in a worker, whose own words are others. */
async function ownWords() {
  if (existsSync("/proc/self/cmdline"))
    return readFileSync("/proc/self/cmdline", "utf8").split("\0").slice(1);
  const shown = await new Promise((resolve) =>
    execFile("ps", ["-o", "args=", "-p", String(process.pid)], (_, stdout) =>
      resolve(stdout ?? ""),
    ),
  );
  return shown.trim().split(/\s+/).slice(1);
}

/** An error in a few words. It names no text of the conversation. */
function reasonOf(error) {
  if (error instanceof Error) return `${error.name}: ${error.message}`.slice(0, 200);
  return String(error?.name ?? "unknown error").slice(0, 200);
}
