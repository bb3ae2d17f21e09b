import { expect } from "bun:test";
import { provesFor } from "./support/capabilities.ts";
import { atWork, startCodex } from "./support/codex.ts";
import { eventually } from "./support/person.ts";
import { service } from "./support/programs.ts";

const proves = provesFor("@openai/codex");
const to = ["@writer"];

proves("wakes", "a message wakes an idle session, and its model answers on the board", async () => {
  const { person, model, agent, session } = await atWork();
  const since = model.requests.length;
  const seq = await person.post("lab", {
    body: `Please answer. [[shell: ${service} say "Here I am." --as writer]] [[say: answered]]`,
    to,
  });
  const woken = await model.asked(/Please answer\./, { after: since });
  expect(woken.newest).toContain('sender="owner"');
  expect(await agent.position()).toBeLessThan(seq);
  await session.terminal.showing(/• answered/);
  await eventually(agent.position, (position) => position >= seq, "the read position");
  const { messages } = await person.client().call("listMessages", { params: { board: "lab" } });
  expect(messages.map(({ body }) => body)).toContain("Here I am.");
});

proves("wakes", "without trusted hooks a session is woken and its answer counts", async () => {
  const { person, model, agent } = await atWork({ trusts: false });
  const seq = await person.post("lab", { body: "No hooks. [[hold: it]] [[say: fine]]", to });
  await model.asked(/No hooks\./);
  expect(await agent.position()).toBeLessThan(seq);
  model.release("it");
  await eventually(agent.position, (position) => position >= seq, "the read position");
});

proves("wakes", "a session that runs in its terminal by itself is woken too", async () => {
  const { person, model, agent } = await atWork({ words: ["-c", 'model_verbosity="low"'] });
  const seq = await person.post("lab", { body: "All by yourself. [[say: fine]]", to });
  await model.asked(/All by yourself\./);
  await eventually(agent.position, (position) => position >= seq, "the read position");
});

proves("confirms", "the position stays while the model thinks about a message", async () => {
  const { person, model, agent } = await atWork();
  const before = await agent.position();
  const seq = await person.post("lab", { body: "Think. [[hold: thinking]] [[say: so]]", to });
  await model.asked(/Think\./);
  // Another message comes and goes through the daemon meanwhile.
  await person.queued("lab", await person.post("lab", { body: "Later.", to }));
  expect(await agent.position()).toBe(before);
  model.release("thinking");
  await eventually(agent.position, (position) => position >= seq, "the read position");
});

proves("gathers", "two messages in a row are one wake", async () => {
  const { person, model, agent } = await atWork();
  const since = model.requests.length;
  await person.post("lab", { body: "First of two.", to });
  const last = await person.post("lab", { body: "Second of two.", to });
  const woken = await model.asked(/First of two\./, { after: since });
  expect(woken.newest).toContain("Second of two.");
  await eventually(agent.position, (position) => position >= last, "the read position");
  expect(model.requests).toHaveLength(since + 1);
});

proves(
  "turnEnd",
  "what an agent writes during a turn is a turn of its own at its end",
  async () => {
    const { person, model, agent, scout, session } = await atWork();
    await session.prompt("work [[hold: work]] [[shell: true]] [[hold: more]] [[say: finished]]");
    const since = model.requests.length;
    const { seq } = await person
      .clientOf(scout)
      .call("postMessage", { params: { board: "lab" }, body: { body: "Found something.", to } });
    await person.queued("lab", seq);
    model.release("work");
    const between = await model.asked(/<service-notice/, { after: since });
    expect(between.newest).not.toContain("Found something.");
    model.release("more");
    const next = await model.asked(/Found something\./, { after: since });
    expect(next.text).toContain("finished");
    await eventually(agent.position, (position) => position >= seq, "the read position");
  },
);

proves("midTurn", "the owner's words reach the model after the next tool of a turn", async () => {
  const { person, model, agent, session } = await atWork();
  await session.prompt("work [[hold: work]] [[shell: true]] [[hold: more]] [[say: finished]]");
  const since = model.requests.length;
  const seq = await person.post("lab", { body: "Stop that.", to });
  await person.queued("lab", seq);
  model.release("work");
  const told = await model.asked(/Stop that\./, { after: since });
  expect(told.newest).toContain('sender="owner"');
  expect(await agent.position()).toBeLessThan(seq);
  model.release("more");
  await eventually(agent.position, (position) => position >= seq, "the read position");
  expect(model.requests.filter(({ newest }) => newest.includes("Stop that."))).toHaveLength(1);
});

proves(
  "interrupted",
  "after Esc others wait and the status says why, and the owner's message goes on",
  async () => {
    const { person, model, agent, scout, session } = await atWork();
    await session.prompt("work [[hold: never]]");
    session.terminal.key("escape");
    await session.terminal.showing(/interrupted/i);
    await person.idle(agent);
    const { seq } = await person.clientOf(scout).call("postMessage", {
      params: { board: "lab" },
      body: { body: "From scout. [[say: read]]", to },
    });
    await eventually(
      async () => (await person.daemon())!.stalled,
      (stalled) => stalled.some(({ reason, seqs }) => reason === "paused" && seqs.includes(seq)),
      "a reason",
    );
    expect(model.requests.some(({ text }) => text.includes("From scout."))).toBe(false);
    const own = await person.post("lab", { body: "Go on. [[say: going]]", to });
    await model.asked(/Go on\./);
    await model.asked(/From scout\./);
    await eventually(agent.position, (position) => position >= own, "the read position");
  },
);

proves("interrupted", "Esc before the answer to a wake: the next turn answers it", async () => {
  const { person, model, agent, session } = await atWork();
  const seq = await person.post("lab", { body: "Wake up. [[hold: never]] [[say: gone on]]", to });
  await model.asked(/Wake up\./);
  session.terminal.key("escape");
  await session.terminal.showing(/interrupted/i);
  await person.idle(agent);
  expect(await agent.position()).toBeLessThan(seq);
  await session.prompt("go on [[say: going on]]");
  await session.terminal.showing(/• going on/);
  await eventually(agent.position, (position) => position >= seq, "the read position");
  expect(model.requests.at(-1)!.text.split("Wake up.")).toHaveLength(2);
});

proves("seats", "a session with seats on two boards wakes once for both", async () => {
  const { person, model, agent, session } = await atWork();
  const other = await person.pair("other", "helper");
  await session.resume(other);
  await person.idle(other);
  const since = model.requests.length;
  const first = await person.post("lab", { body: "On the lab.", to });
  const second = await person.post("other", { body: "On the other.", to: ["@helper"] });
  const woken = await model.asked(/On the lab\./, { after: since });
  expect(woken.newest).toMatch(/board="lab"[^]*board="other"/);
  await eventually(agent.position, (position) => position >= first, "the lab's position");
  await eventually(other.position, (position) => position >= second, "the other's position");
});

proves("subagent", "a subagent cannot act as the agent, and its thread takes no seat", async () => {
  const { person, model, agent, session } = await atWork();
  const child = `child [[shell: echo t=$CODEX_THREAD_ID]] [[shell: ${service} say "As the agent." --as writer]] [[say: child done]]`;
  const spawn = JSON.stringify({ message: child });
  await session.prompt(
    `delegate [[tool: multi_agent_v1.spawn_agent ${spawn}]] [[say: parent done]]`,
  );
  const told = await model.asked(/t=[0-9a-f-]{36}/);
  await model.asked(/subagent_without_seat|no seat of its own/);
  const [, thread = ""] = /t=([0-9a-f-]{36})/.exec(told.newest)!;
  const env = { CODEX_SESSION_ID: thread, CODEX_THREAD_ID: thread };
  const words = ["resume", agent.name, "--board", "lab"];
  await expect(person.service(words, env)).rejects.toThrow(/codex_subagent_target|subagent/);
  const { messages } = await person.client().call("listMessages", { params: { board: "lab" } });
  expect(messages.map(({ body }) => body)).not.toContain("As the agent.");
});

proves("tools", "Codex lists the tools of service mcp, and its model calls one", async () => {
  const config = `[mcp_servers.service]
command = "${service}"
args = ["mcp", "--as", "writer"]
default_tools_approval_mode = "approve"
env_vars = ["SERVICE_HOME"]
`;
  const { person, session } = await atWork({ config });
  await session.prompt(`use it [[tool: mcp__service.say {"text": "By a tool."}]] [[say: said so]]`);
  await session.terminal.showing(/• said so/);
  const { messages } = await person.client().call("listMessages", { params: { board: "lab" } });
  expect(messages.at(-1)).toMatchObject({ body: "By a tool.", from: { name: "writer" } });
});

proves(
  "wakes",
  "in Codex's sandbox a command works with our rule, and says why without it",
  async () => {
    const { person, model, session } = await atWork({ sandbox: "workspace-write" });
    await session.prompt(`[[shell: ${service} say "From outside." --as writer]] [[say: sent]]`);
    await session.terminal.showing(/• sent/);
    const since = model.requests.length;
    await session.prompt(`[[shell: X=1 ${service} say "From inside." --as writer]] [[say: tried]]`);
    await model.asked(/sandbox blocks the network|sandbox_blocks_network/, { after: since });
    const { messages } = await person.client().call("listMessages", { params: { board: "lab" } });
    const bodies = messages.map(({ body }) => body);
    expect(bodies).toContain("From outside.");
    expect(bodies).not.toContain("From inside.");
  },
);

proves(
  "interrupted",
  "what waits after Esc is taken back when delivery is turned off",
  async () => {
    const { person, model, agent, scout, session } = await atWork();
    await session.prompt("work [[hold: never]]");
    session.terminal.key("escape");
    await session.terminal.showing(/interrupted/i);
    await person.idle(agent);
    const body = { body: "Not any more.", to };
    const { seq } = await person
      .clientOf(scout)
      .call("postMessage", { params: { board: "lab" }, body });
    const stalled = async () => (await person.daemon())!.stalled;
    await eventually(stalled, (all) => all.some(({ seqs }) => seqs.includes(seq)), "the queue");
    const params = { board: "lab", member: "writer" };
    await person.client().call("setDeliveryMode", { params, body: { mode: "off" } });
    await eventually(stalled, (all) => all.length === 0, "its return");
    await session.prompt("go on [[say: going on]]");
    await session.terminal.showing(/• going on/);
    await session.prompt("and more [[say: and on]]");
    await session.terminal.showing(/• and on/);
    expect(model.requests.some(({ text }) => text.includes("Not any more."))).toBe(false);
  },
);

proves("seats", "two sessions of one app server get each its own messages", async () => {
  const { person, model, agent, scout } = await atWork();
  const other = await startCodex(person, model);
  await other.resume(scout);
  await person.idle(scout);
  const since = model.requests.length;
  const first = await person.post("lab", { body: "For writer. [[say: read]]", to });
  const second = await person.post("lab", { body: "For scout. [[say: read]]", to: ["@scout"] });
  const toWriter = await model.asked(/For writer\./, { after: since });
  const toScout = await model.asked(/For scout\./, { after: since });
  expect(toWriter.text).toContain("resume writer");
  expect(toWriter.text).not.toContain("For scout.");
  expect(toScout.text).toContain("resume scout");
  expect(toScout.text).not.toContain("For writer.");
  await eventually(agent.position, (position) => position >= first, "the writer's position");
  await eventually(scout.position, (position) => position >= second, "the scout's position");
});
