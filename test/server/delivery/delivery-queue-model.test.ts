import { expect, test } from "bun:test";
import fc from "fast-check";
import { startWorld } from "../../support/servers/server-in-process.ts";
import { docs, makeDocs, post, seatOnDocs } from "../../support/boards/docs-board.ts";
import { cameTo } from "../../support/raw-requests.ts";
import { tries } from "../../support/tries.ts";

const labels = {
  session: fc.constantFrom("s1", "s1", "s2"),
  boot: fc.constantFrom("b1", "b1", "b2"),
  /** How far the epoch is from the one that holds. */
  off: fc.constantFrom(0, 0, 0, 0, -1, 1),
};
const claim = fc.record({ act: fc.constant("claim" as const), ...labels });
const report = fc.record({
  act: fc.constant("report" as const),
  ...labels,
  /** How far the revision is from the last one. */
  further: fc.constantFrom(1, 1, 2, 5, 0, -1),
  which: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
});
const wait = fc.record({
  act: fc.constant("wait" as const),
  seconds: fc.constantFrom(1, 20, 44, 45),
});
type Request =
  typeof claim extends fc.Arbitrary<infer C>
    ? C | (typeof report extends fc.Arbitrary<infer R> ? R : never)
    : never;

/** What a queue is, said as plainly as can be. */
interface Model {
  readonly epoch: number;
  readonly revision: number;
  readonly session: string;
  readonly boot: string;
  readonly which: readonly number[];
  /** Until when `which` holds. */
  readonly until: number;
}
const unclaimed: Model = {
  epoch: 0,
  revision: 0,
  session: "",
  boot: "",
  which: [],
  until: 0,
};

/** The queue after a request; null when the request is not of the claim that holds. */
function after(model: Model, request: Request, now: number): Model | null {
  const { session, boot, off } = request;
  if (off !== 0) return null;
  if (request.act === "claim") return { ...unclaimed, epoch: model.epoch + 1, session, boot };
  const { further, which } = request;
  if (session !== model.session || boot !== model.boot || further <= 0) return null;
  const until = which.length ? now + 45_000 : 0;
  return { ...model, revision: model.revision + further, which, until };
}

test("a queue is what its claims and reports say, whoever makes them and whenever", async () => {
  const check = fc.asyncProperty(
    fc.array(fc.oneof(claim, report, report, wait), {
      minLength: 20,
      maxLength: 40,
      size: "max",
    }),
    async (steps) => {
      const { world, shown, send } = await team();
      let model = unclaimed;
      for (const step of steps) {
        if (step.act === "wait") world.pass(step.seconds);
        else {
          const verdict = await send(model, step);
          // Below the least epoch or revision a request does not fit its schema.
          if (verdict === "400 invalid_request") continue;
          const next = after(model, step, world.clock.now.getTime());
          expect(verdict).toBe(next ? "200" : "409 queue_report_conflict");
          model = next ?? model;
        }
        const holds = model.until > world.clock.now.getTime();
        const { epoch, revision, until } = model;
        const end = holds ? new Date(until).toISOString() : undefined;
        const queued = [0, 1, 2].map((index) => (model.which.includes(index) ? end : undefined));
        expect(await shown()).toEqual({ epoch, revision, end, queued });
      }
      world.check();
      world.stop();
    },
  );
  await fc.assert(check, tries(10));
}, 300_000);

/** `docs` with an agent of ana's that three messages go to, what its daemon sends, and what is shown of it. */
async function team() {
  const world = await startWorld();
  await makeDocs(world);
  const agent = await seatOnDocs(world, "a");
  const toAgent = (body: string) => post(world.admin, { body, to: ["@a"] });
  const messages = [await toAgent("0"), await toAgent("1"), await toAgent("2")];
  const named = messages.map(({ id, seq }) => ({ message_id: id, seq }));

  function send({ epoch, revision }: Model, request: Request): Promise<string> {
    const { session, boot, off } = request;
    const form =
      request.act === "claim"
        ? { expected_epoch: epoch + off }
        : {
            epoch: epoch + off,
            revision: revision + request.further,
            messages: request.which.map((index) => named[index]!),
          };
    return cameTo(agent.send("reportDeliveryQueue", { body: { session, boot, ...form } }));
  }
  async function shown() {
    const { epoch, revision, expires_at: end } = await agent.call("getDeliveryQueue");
    const queued = [];
    for (const { seq } of messages) {
      const params = { ...docs.params, seq };
      const { recipients } = await world.admin.call("getReceipts", { params });
      queued.push(recipients[0]!.queued?.expires_at);
    }
    return { epoch, revision, end, queued };
  }
  return { world, send, shown };
}
