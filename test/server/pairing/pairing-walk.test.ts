import { expect, test } from "bun:test";
import fc from "fast-check";
import { startWorld } from "../../support/servers/server-in-process.ts";
import {
  newProof,
  selection,
  startPair,
  type Pair,
  type Side,
} from "../../support/boards/board-with-pairing.ts";
import { tries } from "../../support/tries.ts";

type Pairing = Awaited<ReturnType<Pair["ask"]>>;

/** What somebody does about the one request, in time or too late, with the newest credential of a side or an old one. */
const side = fc.constantFrom<Side>("initiator", "recipient");
const seldom = fc.integer({ min: 0, max: 9 }).map((number) => number === 0);
const selecting = fc.record({
  do: fc.constant("select" as const),
  side,
  session: fc.constantFrom("a", "b"),
  replace: seldom,
  stale: seldom,
});
const showing = fc.record({
  do: fc.constantFrom("accept" as const, "verify" as const, "verify" as const),
  side,
  old: seldom,
  again: seldom,
});
const other = fc.record({
  do: fc.constantFrom("wait" as const, "reseat" as const, "decline" as const, "cancel" as const),
  happens: seldom,
  seconds: fc.integer({ min: 0, max: 900 }),
});
const act = fc.oneof(
  { arbitrary: selecting, weight: 3 },
  { arbitrary: showing, weight: 5 },
  { arbitrary: other, weight: 2 },
);
type Selecting = typeof selecting extends fc.Arbitrary<infer T> ? T : never;
type Showing = typeof showing extends fc.Arbitrary<infer T> ? T : never;
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

interface Session {
  readonly side: Side;
  readonly generation: number;
  readonly token: string;
}

async function startWalk() {
  const pair = await startPair(await startWorld());
  const { world, ana, bo, scribe, params } = pair;
  const { id } = await pair.ask();
  let scout = pair.scout;
  const sessions: Session[] = [];
  let exchanged: Record<Side, { ping_seq: number; reply_seq: number } | undefined> = {
    initiator: undefined,
    recipient: undefined,
  };
  const read = () => pair.read(ana, id);

  async function select({ side, session, replace, stale }: Selecting) {
    const generation = Math.max(1, (await read()).generation - (stale ? 1 : 0));
    const agent = side === "initiator" ? scribe : scout;
    const proof = newProof();
    const body = selection(id, side, agent.id, { session, replace, generation, proof });
    const person = side === "initiator" ? ana : bo;
    const { status, data } = await person.send("createPairingCredential", { body });
    if (status !== 200) return;
    const { endpoint } = data as { endpoint: { generation: number } };
    sessions.push({ side, generation: endpoint.generation, token: proof });
  }

  async function show({ do: what, side, old, again }: Showing) {
    const session = sessions.filter((each) => each.side === side).at(old ? -2 : -1);
    if (!session) return;
    const client = world.as(session.token);
    if (what === "accept") {
      const body = { agent_id: scout.id, generation: session.generation };
      await client.send("acceptPairingRequest", { ...params(id), body });
      return;
    }
    const [from, to] = side === "initiator" ? [scribe, scout] : [scout, scribe];
    const seqs = again ? exchanged[side] : await pair.exchange(from, to);
    if (!seqs) return;
    exchanged = { ...exchanged, [side]: seqs };
    const body = pair.told(side, seqs, session.generation);
    await client.send("verifyPairingRoundTrip", { ...params(id), body });
  }

  async function make(step: Act) {
    if ("session" in step) return select(step);
    if ("again" in step) return show(step);
    if (step.do === "wait") return world.pass(step.seconds);
    if (!step.happens) return;
    if (step.do === "decline") await bo.send("declinePairingRequest", params(id));
    if (step.do === "cancel") await ana.send("cancelPairingRequest", params(id));
    if (step.do === "reseat") {
      await scout.call("leaveAsAgent");
      scout = await world.seat(bo, "docs");
    }
  }

  /** The sessions of a side whose credential works. */
  async function working(side: Side) {
    const found = [];
    for (const each of sessions.filter((session) => session.side === side)) {
      const { status } = await world.as(each.token).send("getPairingRequest", params(id));
      if (status === 200) found.push(each);
    }
    return found;
  }
  return { pair, id, make, read, working };
}

const over = ["ready", "declined", "cancelled", "expired"];

test("in any order of actions, one session of each side is paired in one generation, and an end is final", async () => {
  const seen = new Set<string>();
  const check = fc.asyncProperty(
    fc.array(act, { minLength: 30, maxLength: 60, size: "max" }),
    async (acts) => {
      const walk = await startWalk();
      let before: Pairing = await walk.read();
      for (const step of acts) {
        await walk.make(step);
        const now = await walk.read();
        seen.add(now.state);
        expect(now.generation - before.generation).toBeOneOf([0, 1]);
        if (over.includes(before.state)) expect(now.state).toBe(before.state);
        for (const side of ["initiator", "recipient"] as const) {
          const working = await walk.working(side);
          expect(working.length).toBeLessThanOrEqual(1);
          for (const { generation } of working) expect(generation).toBe(now.generation);
          const selected = now[side];
          if (selected) expect(selected.generation).toBe(now.generation);
          if (now.state === "ready" && before.state !== "ready")
            expect(before[side]?.generation).toBe(now.generation);
        }
        // Only what was being verified becomes ready.
        if (now.state === "ready") expect(before.state).toBeOneOf(["verifying", "ready"]);
        if (over.includes(now.state)) expect(now.awaiting).toBeUndefined();
        else expect(now.awaiting).toBeDefined();
        before = now;
      }
      walk.pair.world.check();
      walk.pair.world.stop();
    },
  );
  await fc.assert(check, tries(15));
  expect([...seen]).toEqual(expect.arrayContaining(["awaiting_endpoint", "verifying", "ready"]));
}, 300_000);
