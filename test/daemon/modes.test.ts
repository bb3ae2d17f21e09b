import { expect, test } from "bun:test";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";

type There = Awaited<ReturnType<typeof startDaemonOnDocs>>;

const modeOf = async ({ ask }: There) => (await ask({ op: "agents" })).seats![0]!.mode;
const keptBy = async ({ ask }: There) => {
  const { mode, revision } = (await ask({ op: "status" })).status!.bindings[0]!;
  return { mode, revision };
};

/** Waits until the daemon has kept the mode of this revision. */
async function untilKept(there: There, revision: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await keptBy(there)).revision === revision) return;
    await Bun.sleep(5);
  }
  throw new Error(`the mode was not kept: ${JSON.stringify(await keptBy(there))}`);
}

test("a mode that a command has set holds at once, and an older one changes nothing", async () => {
  const there = await startDaemonOnDocs();
  const { ask, writer: agent } = there;
  await there.session();
  expect(await modeOf(there)).toBe("focused");
  const told = await ask({ op: "mode", agent, mode: "off", revision: 90 });
  expect(told).toMatchObject({ mode: "off", changed: true });
  expect(await modeOf(there)).toBe("off");
  const older = await ask({ op: "mode", agent, mode: "all", revision: 80 });
  expect(older).toMatchObject({ mode: "off", changed: false });
  expect(await modeOf(there)).toBe("off");
  for (const request of [{ mode: "on", revision: 91 }, { mode: "all" }, { revision: 91 }])
    expect(await ask({ op: "mode", agent, ...request } as never).catch(({ code }) => code)).toBe(
      "invalid_request",
    );
});

test("a session that comes back is told the mode of its only seat", async () => {
  const there = await startDaemonOnDocs();
  const { world, ask } = there;
  expect((await ask({ op: "register" })).mode).toBeUndefined();
  await there.session();
  const params = { board: "docs", member: "writer" };
  await world.admin.call("setDeliveryMode", { params, body: { mode: "humans" } });
  await ask({ op: "end" });
  expect((await ask({ op: "register", source: "resume" })).mode).toBe("humans");
});

test("the mode that the server said is kept, and holds after a restart until it is read again", async () => {
  const there = await startDaemonOnDocs();
  const { world, writer, tokens, ask } = there;
  await there.session();
  const params = { board: "docs", member: "writer" };
  const { revision } = await world.admin.call("setDeliveryMode", { params, body: { mode: "all" } });
  await untilKept(there, revision);
  expect(await keptBy(there)).toEqual({ mode: "all", revision });
  await there.stop();
  const token = tokens.get(writer.member_id)!;
  tokens.delete(writer.member_id);
  await world.admin.call("setDeliveryMode", { params, body: { mode: "humans" } });
  await there.start();
  expect(await keptBy(there)).toEqual({ mode: "all", revision });
  tokens.set(writer.member_id, token);
  await ask({ op: "bind", agent: writer });
  await there.stop();
  await there.start();
  await there.connected();
  expect(await modeOf(there)).toBe("humans");
});
