import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { testHarness } from "../support/daemon/harness-contract.ts";
import { startWithExtension } from "../support/daemon/played-extension.ts";
import { playedOpencode } from "../support/daemon/played-opencode.ts";
import { installPlugin, pluginUnderTest } from "../support/daemon/plugin-under-test.ts";
import { until, untilTrue } from "../support/wait-until.ts";

testHarness(pluginUnderTest);

/** A daemon, and a session of opencode with the plugin that has the agent writer. */
async function startPlugin() {
  const there = await startWithExtension();
  const newPlugin = installPlugin(there.machine);
  const file = newPlugin();
  const played = playedOpencode("ses_one");
  await played.start(file);
  afterAll(() => played.quit());
  await there.ask({ op: "bind", session: "ses_one", agent: there.writer });
  return { ...there, played, newPlugin, file };
}

test("a text is given with the session's own agent and model, under ids that derive from its handoff", async () => {
  const { world, played } = await startPlugin();
  await post(world.admin, "Look.");
  await until(() => played.isWoken(), "a turn");
  const { messageID, agent, model, parts } = played.prompts[0]!;
  expect([agent, model]).toEqual(["plan", { providerID: "lab", modelID: "one" }]);
  const [, handoff = ""] = /\[service hnd_(\w+)\]/.exec(parts[0]!.text)!;
  expect(messageID).toMatch(/^msg_[\da-f]{26}$/);
  expect(messageID).toEndWith(handoff.slice(18));
  expect(parts[0]).toMatchObject({ id: messageID.replace("msg_", "prt_"), type: "text" });
});

test("a change of an earlier answer proves nothing of the text that the model reads now", async () => {
  const { world, played, newPlugin } = await startPlugin();
  await played.type("hello");
  await played.answer();
  await post(world.admin, "Read me.");
  await until(() => played.isWoken(), "a turn");
  await played.touchAnswer();
  await played.quit();
  await played.start(newPlugin());
  // So it was not confirmed: it is given again, and stored once.
  await until(() => played.prompts.length === 2, "the text again");
  expect(played.prompts[1]!.messageID).toBe(played.prompts[0]!.messageID);
});

test("commands get the names of the root session and of the subagent that runs them", async () => {
  const { played, ask } = await startPlugin();
  const [own, child]: Record<string, string>[] = [{}, {}];
  await played.hooks()["shell.env"]({ sessionID: "ses_one" }, { env: own! });
  await played.hooks()["shell.env"]({ sessionID: "ses_child" }, { env: child! });
  expect(own).toEqual({ SERVICE_SESSION: "fake:ses_one", SERVICE_BOOT: expect.any(String) });
  expect(child).toEqual({ ...own, SERVICE_SUBAGENT: "ses_child" });
  expect((await ask({ op: "status" })).status!.open_sessions).toBe(1);
});

test("a notice stands after the result of a tool, and not after that of a subagent", async () => {
  const there = await startPlugin();
  const { world, played } = there;
  const ben = await personOnDocs(world, "ben");
  await played.type("hello");
  const { seq } = await post(ben, { body: "Later.", to: ["@writer"] });
  await there.has(seq);
  const after = played.hooks()["tool.execute.after"];
  const [child, own] = [{ output: "child" }, { output: "own" }];
  await after({ sessionID: "ses_child", tool: "bash" }, child);
  await after({ sessionID: "ses_one", tool: "bash" }, own);
  expect(child.output).toBe("child");
  expect(own.output).toMatch(/^own\n\n<service-notice board="docs" waiting="1">/);
});

test("what opencode does not expect never reaches it: a hook that fails is a line of the daemon's log", async () => {
  const { played, told } = await startPlugin();
  const broken = { event: { type: "session.status", properties: { sessionID: "ses_one" } } };
  await played.hooks().event(broken);
  await played.hooks()["experimental.chat.messages.transform"]({}, {});
  await until(() => told.length === 3, "three lines of the log");
  expect(told[0]).toBe("fake: version unknown, extension 1");
  expect(told[1]).toStartWith("fake: event: TypeError");
});

test("a plugin whose file is gone names no session, and starts nothing after the daemon's end", async () => {
  const there = await startPlugin();
  rmSync(there.file);
  await there.stop();
  const env: Record<string, string> = {};
  await untilTrue(async () => {
    delete env["SERVICE_SESSION"];
    await there.played.hooks()["shell.env"]({ sessionID: "ses_one" }, { env });
    return env["SERVICE_SESSION"] === undefined;
  }, "its end");
  await there.start();
  expect((await there.ask({ op: "status" })).status!.open_sessions).toBe(0);
});
