import { afterAll, expect, test } from "bun:test";
import { connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import type { DaemonRequest } from "../../src/client/machine/daemon-wire.ts";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  laterHook,
  rung,
  startDaemonOnDocs,
} from "../support/daemon/daemon-on-docs.ts";

type There = Awaited<ReturnType<typeof startDaemonOnDocs>>;

/** A command that keeps its connection open. */
async function command({ machine }: There) {
  const connection = await connectToDaemon(machine);
  afterAll(() => connection.close());
  return {
    close: connection.close,
    async ask(request: DaemonRequest) {
      connection.send(request);
      return connection.next();
    },
  };
}

/** What the session would get if a turn began now. */
async function turnText({ ask }: There, turn: string): Promise<string> {
  return (await ask({ op: "turn_start", harness_turn: turn })).bundle ?? "";
}

test("nothing is handed while a command reads the inbox, and it rings when the command has ended", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const inbox = await command(there);
  expect(await inbox.ask({ op: "inbox", agent: there.writer })).toMatchObject({
    held: true,
    received: [],
  });
  const { seq } = await post(there.world.admin, "Please look.");
  await there.has(seq);
  expect(await turnText(there, "t-1")).toBe("");
  expect((await there.ask({ op: "boundary", harness_turn: "t-1" })).notice).toBeUndefined();
  await there.ask({ op: "turn_end", harness_turn: "t-1" });
  expect(there.rings).toEqual([]);
  inbox.close();
  await rung(there);
  expect((await there.answerRing())!.text).toContain("Please look.");
});

test("what a command has shown counts as received, and is acknowledged with all before it", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const inbox = await command(there);
  await inbox.ask({ op: "inbox", agent: there.writer });
  const first = await post(there.world.admin, "First.");
  const second = await post(there.world.admin, "Second.");
  await there.has(second.seq);
  expect((await inbox.ask({ op: "claim", seqs: [second.seq] })).claimed).toEqual([second.seq]);
  expect((await inbox.ask({ op: "claim", seqs: [second.seq] })).claimed).toEqual([]);
  expect(await there.position()).toBeLessThan(first.seq);
  const other = await command(there);
  expect((await other.ask({ op: "inbox", agent: there.writer })).received).toEqual([second.seq]);
  other.close();
  inbox.close();
  await rung(there);
  const bundle = (await there.answerRing())!;
  expect(bundle.text).toContain("First.");
  expect(bundle.text).not.toContain("Second.");
  await there.ask({ op: "turn_start", harness_turn: "t-1", handoff_id: bundle.id });
  await laterHook();
  await there.ask({ op: "turn_end", harness_turn: "t-1" });
  await acknowledged(there, second.seq);
});

test("replies to a message that a command waits for stay out of every text until it ends", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const asked = await there.seat.call("postMessage", {
    params: { board: "docs" },
    body: { body: "Which one?" },
  });
  const hold = await command(there);
  const held = await hold.ask({ op: "hold", agent: there.writer, reply_to: asked.seq });
  expect(held.held).toBe(true);
  const reply = await post(there.world.admin, { body: "The first.", reply_to: asked.id });
  await there.has(reply.seq);
  expect(await turnText(there, "t-1")).toBe("");
  const other = await post(there.world.admin, "And lunch?");
  await there.has(other.seq);
  const text = await turnText(there, "t-2");
  expect(text).toContain("And lunch?");
  expect(text).not.toContain("The first.");
  hold.close();
  await there.ask({ op: "turn_end", harness_turn: "t-2" });
  await rung(there);
  expect((await there.answerRing())!.text).toContain("The first.");
});

test("a seat that no open session holds is not held, and what is no claim is refused", async () => {
  const there = await startDaemonOnDocs();
  const { writer: agent } = there;
  const free = await command(there);
  expect(await free.ask({ op: "inbox", agent })).toMatchObject({ held: false, received: [] });
  expect((await free.ask({ op: "claim", seqs: [1] })).claimed).toEqual([]);
  const refused = async (request: object) => {
    const one = await command(there);
    return one.ask(request as DaemonRequest).catch(({ code }) => code);
  };
  expect(await refused({ op: "claim", seqs: [1] })).toBe("invalid_request");
  expect(await refused({ op: "hold", agent })).toBe("invalid_request");
  expect(await refused({ op: "inbox" })).toBe("invalid_request");
});
