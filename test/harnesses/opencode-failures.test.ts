import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { provesFor } from "./support/capabilities.ts";
import { atWork, isBusy, said, startOpencode, timesIn } from "./support/opencode.ts";
import { eventually, type Agent, type Person } from "./support/person.ts";

const proves = provesFor("opencode-ai");
const to = ["@writer"];

const readUpTo = ({ position }: Agent, seq: number) =>
  eventually(position, (now) => now >= seq, "the read position");
const allClosed = (person: Person) =>
  eventually(
    async () => (await person.daemon())?.open_sessions,
    (open) => open === 0,
    "the end of the session",
  );

proves("interrupted", "Esc before the answer to a wake: the next turn has it, once", async () => {
  const { person, model, agent, session } = await atWork();
  const before = await agent.position();
  const seq = await person.post("lab", { body: "Wake up. [[hold: never]]", to });
  await model.asked(/Wake up\./);
  session.terminal.key("escape");
  await session.terminal.showing(/esc again/);
  session.terminal.key("escape");
  await session.terminal.hiding(isBusy);
  model.release("never");
  expect(await agent.position()).toBe(before);
  await session.prompt("go on [[say: gone on]]");
  await session.terminal.showing(said("gone on"));
  await readUpTo(agent, seq);
  expect(timesIn(model.requests.at(-1)!.text, "Wake up.")).toBe(1);
});

proves(
  "failed",
  "an error of the API confirms nothing; the same text runs again, once",
  async () => {
    const { person, model, agent, session } = await atWork();
    const before = await agent.position();
    const after = model.requests.length;
    model.fail(1, 400);
    const seq = await person.post("lab", { body: "Try this. [[say: tried]]", to });
    await model.asked(/Try this\./, { after });
    await session.terminal.hiding(isBusy);
    expect(await agent.position()).toBe(before);
    await readUpTo(agent, seq);
    const asked = model.requests.slice(after);
    expect(asked).toHaveLength(2);
    expect(timesIn(asked[1]!.text, "Try this.")).toBe(1);
  },
);

proves(
  "killed",
  "kill -9 as the model is asked: resumed by its id, the text runs once",
  async () => {
    const { person, model, agent, session, id } = await atWork();
    const before = await agent.position();
    const seq = await person.post("lab", { body: "Keep this. [[hold: never]] [[say: kept]]", to });
    await model.asked(/Keep this\./);
    await session.terminal.kill("SIGKILL");
    await allClosed(person);
    expect(await agent.position()).toBe(before);
    model.release("never");
    const after = model.requests.length;
    const again = await startOpencode(person, model, "-s", id);
    const { text } = await model.asked(/Keep this\./, { after });
    expect(timesIn(text, "Keep this.")).toBe(1);
    await again.terminal.showing(said("kept"));
    await readUpTo(agent, seq);
    expect(model.requests).toHaveLength(after + 1);
  },
);

proves("killed", "kill -9 after the turn: the history proves it, and no turn runs", async () => {
  const { person, model, agent, session } = await atWork();
  const seq = await person.post("lab", { body: "Unseen. [[hold: away]] [[say: seen]]", to });
  await model.asked(/Unseen\./);
  // Nobody hears of the answer.
  process.kill((await person.daemon())!.pid, "SIGTERM");
  await eventually(person.daemon, (status) => status === null, "the end of the daemon");
  model.release("away");
  await session.terminal.showing(said("seen"));
  await session.terminal.kill("SIGKILL");
  expect(await person.daemon()).toBeNull();
  expect(await agent.position()).toBeLessThan(seq);
  const after = model.requests.length;
  await startOpencode(person, model, "-c");
  await readUpTo(agent, seq);
  expect(model.requests).toHaveLength(after);
});

proves(
  "daemonKilled",
  "a killed daemon is started by the plugin, and nothing is lost",
  async () => {
    const { person, model, agent } = await atWork();
    const { pid } = (await person.daemon())!;
    process.kill(pid, "SIGKILL");
    const seq = await person.post("lab", { body: "Still there? [[say: here]]", to });
    await model.asked(/Still there\?/);
    await readUpTo(agent, seq);
    expect((await person.daemon())!.pid).not.toBe(pid);
  },
);

proves("killed", "a session that is quit is closed, and gets its messages with `-c`", async () => {
  const { person, model, agent, session } = await atWork();
  await session.terminal.enter("/exit", () => !session.terminal.isRunning());
  await allClosed(person);
  const seq = await person.post("lab", { body: "While you were away. [[say: back]]", to });
  const after = model.requests.length;
  await startOpencode(person, model, "-c");
  await model.asked(/While you were away\./, { after });
  await readUpTo(agent, seq);
});

proves(
  "serverRestarted",
  "a server that was restarted wakes the session with what comes then",
  async () => {
    const { person, model, agent } = await atWork();
    const pidFile = join(person.env["SERVICE_HOME"]!, "data/server.pid");
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
    await eventually(
      async () => (await person.daemon())!.servers.every(({ connected }) => connected),
      (isConnected) => !isConnected,
      "the end of the stream",
    );
    await person.service(["up"]);
    const seq = await person.post("lab", { body: "I am back. [[say: welcome]]", to });
    await model.asked(/I am back\./);
    await readUpTo(agent, seq);
  },
);
