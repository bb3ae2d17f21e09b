import { expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { untilTrue } from "../support/wait-until.ts";
import { laterHook, startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";

const select = { op: "pairing", server: "local", pairing_action: "select" } as const;
const accept = { op: "pairing", server: "local", pairing_action: "accept" } as const;

/** Ana asks for a session of her own to work with her agent writer. Session one holds that seat, and session two another one. */
async function askedOnDocs() {
  const there = await startDaemonOnDocs();
  const { world, ask, writer, tokens } = there;
  await there.session();
  await ask({ op: "register", session: "two" });
  const agent = { server: "local", board: "docs", name: "rex" };
  const { joined: rex } = await ask({ op: "join", session: "two", agent });
  await there.connected();
  const [{ id: board_id }, { id: recipient_id }] = await Promise.all([
    world.admin.call("getBoard", { params: { board: "docs" } }),
    world.admin.call("getMe"),
  ]);
  const request = async () =>
    world.admin.call("createPairingRequest", {
      body: { board_id, recipient_id, initiating_agent_id: writer.member_id, work: "Review it" },
    });
  const params = ({ id }: { id: string }) => ({ params: { pairing: id } });
  return {
    there,
    world,
    ask,
    request,
    rex: { ...rex!, client: tokens.get(rex!.member_id)! },
    writer: { ...writer, client: tokens.get(writer.member_id)! },
    read: (asked: { id: string }) => world.admin.call("getPairingRequest", params(asked)),
  };
}

type Asked = Awaited<ReturnType<typeof askedOnDocs>>;
type Party = Asked["rex"];

const say = (client: Client, body: object) =>
  client.call("postMessage", { params: { board: "docs" }, body: body as never });

let turns = 0;
/** Lets a session run a turn with what waits for it, as its hooks tell the daemon. */
async function turn({ ask, there }: Asked, session: string, seat: Party, seq: number) {
  await there.has(seq, seat);
  const harness_turn = `t-${++turns}`;
  await ask({ op: "turn_start", session, harness_turn });
  await laterHook();
  await ask({ op: "turn_end", session, harness_turn });
}

/** One agent writes to the other, which gets it in a turn and answers. Gives the answer's number. */
async function answered(asked: Asked, from: Party, to: Party, session: string): Promise<number> {
  const ping = await say(from.client, { body: "ping", to: [`@${to.name}`] });
  await turn(asked, session, to, ping.seq);
  const pong = await say(to.client, { body: "pong", to: [`@${from.name}`], reply_to: ping.id });
  return pong.seq;
}

async function untilState({ read }: Asked, request: { id: string }, state: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await read(request)).state === state) return;
    await Bun.sleep(5);
  }
  throw new Error(`it is ${(await read(request)).state}`);
}

test("a pairing is ready once each session has received an answer of the other's agent", async () => {
  const asked = await askedOnDocs();
  const { ask, request, read, rex, writer } = asked;
  const made = await request();
  const chosen = await ask({ ...select, pairing_id: made.id });
  expect(chosen).toMatchObject({ pairing: { id: made.id, awaiting: "recipient" } });
  expect(chosen.pairing_board).toBe("docs");
  const accepted = await ask({ ...accept, session: "two" });
  expect(accepted.pairing).toMatchObject({ id: made.id, state: "verifying", awaiting: "both" });
  await turn(asked, "one", writer, await answered(asked, writer, rex, "two"));
  expect((await read(made)).state).toBe("verifying");
  await turn(asked, "two", rex, await answered(asked, rex, writer, "one"));
  await untilState(asked, made, "ready");
  const again = await ask({ ...select, pairing_id: made.id });
  expect(again.pairing!.state).toBe("ready");
  const refused = (request: Parameters<typeof ask>[0]) => ask(request).catch(({ code }) => code);
  expect(await refused({ ...select, pairing_id: made.id, replace: true })).toBe("pairing_closed");
  await ask({ op: "register", boot: "boot_other" });
  expect(await refused({ ...select, pairing_id: made.id })).toBe("pairing_changed");
});

test("what a session receives after it was started anew proves nothing until it is selected again", async () => {
  const asked = await askedOnDocs();
  const { ask, request, read, rex, writer } = asked;
  const made = await request();
  await ask({ ...select, pairing_id: made.id });
  await ask({ ...accept, session: "two" });
  await ask({ op: "register", boot: "boot_other" });
  await turn(asked, "one", writer, await answered(asked, writer, rex, "two"));
  await turn(asked, "two", rex, await answered(asked, rex, writer, "one"));
  await untilTrue(async () => (await read(made)).awaiting !== "both", "the recipient's proof");
  expect(await read(made)).toMatchObject({ state: "verifying", awaiting: "initiator" });
});

test("messages that were not received by the session prove nothing", async () => {
  const asked = await askedOnDocs();
  const { ask, request, read, rex, writer } = asked;
  const made = await request();
  await ask({ ...select, pairing_id: made.id });
  await ask({ ...accept, session: "two" });
  const ping = await say(writer.client, { body: "ping", to: ["@rex"] });
  const pong = await say(rex.client, { body: "pong", to: ["@writer"], reply_to: ping.id });
  await asked.there.has(pong.seq, writer);
  await writer.client.call("ackInbox", { body: { up_to: pong.seq } });
  await ask({ op: "turn_start", harness_turn: "t" });
  await laterHook();
  await ask({ op: "turn_end", harness_turn: "t" });
  expect(await read(made)).toMatchObject({ state: "verifying", awaiting: "both" });
});

test("a session is a side with its own seat alone, and another one replaces it only when asked", async () => {
  const asked = await askedOnDocs();
  const { ask, request } = asked;
  const refused = (request: Parameters<typeof ask>[0]) => ask(request).catch(({ code }) => code);
  expect(await refused({ ...accept, session: "two" })).toBe("invalid_request");
  const made = await request();
  expect(await refused({ ...select, session: "two", pairing_id: made.id })).toBe(
    "agent_session_required",
  );
  expect(await refused({ ...accept, pairing_id: made.id })).toBe("agent_session_required");
  expect(await refused({ ...select, pairing_id: made.id, subagent: "s" })).toBe(
    "subagent_without_seat",
  );
  expect(await refused({ ...select, pairing_id: made.id, session: "three" })).toBe(
    "session_unknown",
  );
  await ask({ ...select, pairing_id: made.id });
  expect((await ask({ ...select, pairing_id: made.id })).pairing!.generation).toBe(1);
  await ask({ op: "register", boot: "boot_other" });
  expect(await refused({ ...select, pairing_id: made.id })).toBe("pairing_changed");
  const replaced = await ask({ ...select, pairing_id: made.id, replace: true });
  expect(replaced.pairing!.generation).toBe(2);
  const other = await request();
  expect(await refused({ ...accept, session: "two" })).toBe("invalid_request");
  const listed = await ask({ op: "pairing", server: "local", pairing_action: "list" });
  expect(listed.pairings!.map(({ id }) => id)).toEqual([made.id, other.id]);
  expect(JSON.stringify([listed, replaced])).not.toContain("abp_");
});

test("a daemon that was restarted vouches for no session until it is selected anew on purpose", async () => {
  const { ask, request, there } = await askedOnDocs();
  const made = await request();
  await ask({ ...select, pairing_id: made.id });
  await there.stop();
  await there.start();
  const again = ask({ ...select, pairing_id: made.id });
  expect(await again.catch(({ code }) => code)).toBe("pairing_changed");
  const replaced = await ask({ ...select, pairing_id: made.id, replace: true });
  expect(replaced.pairing!.generation).toBe(2);
});
