import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { provesFor } from "./support/capabilities.ts";
import { atWork, startClaudeCode } from "./support/claude-code.ts";
import type { Model } from "./support/model.ts";
import { eventually } from "./support/person.ts";

const proves = provesFor("@anthropic-ai/claude-code");
const to = ["@writer"];

/** How many times a text came to the model as something new. */
const timesAsked = ({ requests }: Model, text: string): number =>
  requests.filter(({ newest }) => newest.includes(text)).length;

proves("interrupted", "Esc before the answer to a wake: the next turn gets it again", async () => {
  const { person, model, agent, session } = await atWork();
  const before = await agent.position();
  const seq = await person.post("lab", { body: "Wake up. [[hold: never]] [[say: gone on]]", to });
  await model.asked(/Wake up\./);
  session.terminal.key("escape");
  await session.terminal.showing(/Interrupted/);
  expect(await agent.position()).toBe(before);
  model.release("never");
  await session.prompt("go on");
  await session.terminal.showing(/● gone on/);
  await eventually(agent.position, (position) => position >= seq, "the read position");
  expect(timesAsked(model, "Wake up.")).toBe(2);
});

proves(
  "interrupted",
  "after Esc the next message wakes the session, and brings the one before",
  async () => {
    const { person, model, agent, session } = await atWork();
    await person.post("lab", { body: "Too early. [[hold: never]]", to });
    await model.asked(/Too early\./);
    session.terminal.key("escape");
    await session.terminal.showing(/Interrupted/);
    model.release("never");
    const since = model.requests.length;
    const seq = await person.post("lab", { body: "And now?", to });
    const woken = await model.asked(/And now\?/, { after: since, milliseconds: 60_000 });
    expect(woken.newest).toContain("Too early.");
    await eventually(agent.position, (position) => position >= seq, "the read position");
  },
);

proves("interrupted", "Esc takes back a prompt with what a hook added to it", async () => {
  const { person, model, agent, scout, session } = await atWork();
  const before = await agent.position();
  // It concerns nobody, so it waits for the next turn.
  const { seq } = await person
    .clientOf(scout)
    .call("postMessage", { params: { board: "lab" }, body: { body: "For all.", to: ["all"] } });
  await session.prompt("think [[hold: never]]");
  const given = await eventually(
    () => timesAsked(model, "For all."),
    (times) => times > 0,
    "the quiet message in a turn",
  );
  session.terminal.key("escape");
  // It is in the box for prompts again a moment after the turn has ended.
  await session.terminal.showing(/─\n❯\s+think/);
  session.terminal.key("ctrlU");
  await session.terminal.hiding(/❯ think/);
  await session.prompt("something else [[say: done so]]");
  await session.terminal.showing(/● done so/);
  const last = model.requests.at(-1)!;
  expect(last.text.split("For all.")).toHaveLength(2);
  expect(timesAsked(model, "For all.")).toBe(given + 1);
  expect(before).toBeLessThan(seq);
  await eventually(agent.position, (position) => position >= seq, "the read position");
});

proves(
  "failed",
  "an error of the model's API confirms nothing, and the message comes again",
  async () => {
    const { person, model, agent, session } = await atWork();
    const before = await agent.position();
    model.fail(Infinity, 400);
    const seq = await person.post("lab", { body: "Try this.", to });
    await session.terminal.showing(/API Error/);
    model.fail(0, 400);
    expect(await agent.position()).toBe(before);
    await eventually(agent.position, (position) => position >= seq, "the read position");
    expect(timesAsked(model, "Try this.")).toBeGreaterThan(1);
  },
);

proves(
  "killed",
  "kill -9 as the model is asked: the resumed session gets the message",
  async () => {
    const { person, model, agent, session } = await atWork();
    const before = await agent.position();
    const seq = await person.post("lab", { body: "Keep this. [[hold: never]]", to });
    await model.asked(/Keep this\./);
    await session.terminal.kill("SIGKILL");
    expect(await agent.position()).toBe(before);
    const since = model.requests.length;
    await eventually(
      async () => (await person.daemon())?.open_sessions,
      (open) => open === 0,
      "the end of the killed session",
    );
    model.release("never");
    await startClaudeCode(person, model, session.id);
    const again = await model.asked(/Keep this\./, { after: since });
    expect(again.newest).toContain("[service hnd_");
    await eventually(agent.position, (position) => position >= seq, "the read position");
  },
);

proves(
  "cleared",
  "after /clear the agent's messages wait for a session that takes its seat",
  async () => {
    const { person, model, agent, session } = await atWork();
    const since = model.requests.length;
    const openIds = async () => (await person.daemon())!.bindings.filter(({ open }) => open);
    await session.terminal.enter("/clear", () => !/bound/.test(session.terminal.screen()));
    await eventually(openIds, (open) => open.length === 0, "the end of the cleared session");
    const seq = await person.post("lab", { body: "Anybody there?", to });
    const before = await agent.position();
    await session.prompt("hello [[say: hi]]");
    await session.terminal.showing(/● hi/);
    expect(await agent.position()).toBe(before);
    expect(timesAsked(model, "Anybody there?")).toBe(0);
    await session.resume(agent);
    await model.asked(/Anybody there\?/, { after: since });
    await eventually(agent.position, (position) => position >= seq, "the read position");
    const next = model.requests.length;
    const later = await person.post("lab", { body: "And again.", to });
    await model.asked(/And again\./, { after: next });
    await eventually(agent.position, (position) => position >= later, "the read position");
  },
);

proves(
  "daemonKilled",
  "a daemon that is killed in a turn: its next hook starts another, which confirms",
  async () => {
    const { person, model, agent } = await atWork();
    const before = await agent.position();
    const seq = await person.post("lab", { body: "Hold on. [[hold: thinking]] [[say: so]]", to });
    await model.asked(/Hold on\./);
    const { pid } = (await person.daemon())!;
    process.kill(pid, "SIGKILL");
    await eventually(person.daemon, (status) => status === null, "the daemon's end");
    expect(await agent.position()).toBe(before);
    model.release("thinking");
    await eventually(agent.position, (position) => position >= seq, "the read position");
    expect((await person.daemon())!.pid).not.toBe(pid);
    expect(timesAsked(model, "Hold on.")).toBe(1);
  },
);

proves(
  "daemonKilled",
  "what came while no daemon ran arrives with the next turn or after it",
  async () => {
    const { person, model, agent, session } = await atWork();
    process.kill((await person.daemon())!.pid, "SIGKILL");
    await eventually(person.daemon, (status) => status === null, "the daemon's end");
    const seq = await person.post("lab", { body: "While you slept.", to });
    await session.prompt("hello [[say: hi]]");
    await model.asked(/While you slept\./);
    await eventually(agent.position, (position) => position >= seq, "the read position");
  },
);

proves(
  "daemonKilled",
  "a daemon that is killed while the bell's hook waits is started by that hook",
  async () => {
    const { person, model, agent } = await atWork();
    // It is looked for before the message is there: the hook runs for a moment only.
    const hookRuns = eventually(
      () => runningWith(person.env["SERVICE_HOME"]!, "hook claude-code bell"),
      (runs) => runs,
      "the hook of the bell",
    );
    const seq = await person.post("lab", { body: "Did you hear?", to });
    await hookRuns;
    const { pid } = (await person.daemon())!;
    process.kill(pid, "SIGKILL");
    await model.asked(/Did you hear\?/);
    await eventually(agent.position, (position) => position >= seq, "the read position");
    expect((await person.daemon())!.pid).not.toBe(pid);
    expect(timesAsked(model, "Did you hear?")).toBe(1);
  },
);

/** Whether a process of this home runs with these words. */
function runningWith(home: string, words: string): boolean {
  const shows = (pid: string, file: string, text: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " ").includes(text);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  };
  return readdirSync("/proc").some(
    (pid) =>
      /^\d+$/.test(pid) && shows(pid, "cmdline", words) && shows(pid, "environ", `=${home} `),
  );
}

proves(
  "serverRestarted",
  "a server that was restarted wakes the session with what comes then",
  async () => {
    const { person, model, agent } = await atWork();
    const pid = Number(
      readFileSync(join(person.env["SERVICE_HOME"]!, "data", "server.pid"), "utf8"),
    );
    const isConnected = async () => (await person.daemon())!.servers.every((one) => one.connected);
    process.kill(pid, "SIGKILL");
    await eventually(isConnected, (connected) => !connected, "the end of the stream");
    await person.service(["up"]);
    const seq = await person.post("lab", { body: "I am back.", to });
    await model.asked(/I am back\./);
    await eventually(agent.position, (position) => position >= seq, "the read position");
  },
);
