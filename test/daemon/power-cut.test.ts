import { afterAll, expect, test } from "bun:test";
import { DaemonRefusal } from "../../src/client/machine/daemon-client.ts";
import { LocalError } from "../../src/client/machine/local-error.ts";
import { post } from "../support/boards/docs-board.ts";
import { startDaemonOnDocs, type Daemon } from "../support/daemon/daemon-on-docs.ts";
import type { HarnessUnderTest } from "../support/daemon/harness-under-test.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { playedBell } from "../support/daemon/played-bell.ts";
import { playedQueue } from "../support/daemon/played-queue.ts";
import { powerCut } from "../support/daemon/power-cut.ts";
import { timesMore } from "../support/tries.ts";

const isLong = timesMore(1) > 1;

/** A hook whose daemon is gone starts the next and asks it, or gives up: then nobody learns of what it would have said. */
type Hooks = "ask again" | "give up";

/** Plays a session to the end with a daemon whose power is cut at a step. Gives false if it had not so many. */
async function playWithCut(
  harness: HarnessUnderTest,
  cutAt: number,
  hooks: Hooks,
): Promise<boolean> {
  const clock = movableClock();
  const { adapter, drive } = harness.make();
  const power = powerCut(cutAt, () => void restart());
  const answered = () => driver.answered("one").join("\n");
  const posted = new Map<number, string>();
  const wrong: string[] = [];
  const there = await startDaemonOnDocs({}, clock, power.harness(adapter), {
    wrapJournal: power.journal,
    changeClient: (client) => {
      const call: typeof client.call = (name, input, options) => {
        const { body } = (input ?? {}) as { body?: { up_to?: number } };
        const { up_to = 0 } = body ?? {};
        for (const [seq, words] of posted)
          if (seq <= up_to && !answered().includes(words)) wrong.push(`${words} at step ${cutAt}`);
        return client.call(name, input, options);
      };
      return power.client({ ...client, call });
    },
  });
  let next: Promise<unknown> = Promise.resolve();
  function restart() {
    there.copyJournal();
    const stopped = there.stop();
    next = stopped.then(async () => {
      power.state.isOff = false;
      await there.start();
    });
  }
  const tolerant = async (ask: () => ReturnType<Daemon["ask"]>, again: boolean) => {
    for (;;)
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof LocalError || error instanceof DaemonRefusal)) throw error;
        await next;
        if (!again) return { v: 1 };
        await Bun.sleep(2);
      }
  };
  const driver = drive({
    ...there,
    ask: (request) => tolerant(() => there.ask(request), hooks === "ask again"),
    answerRing: (session, says) => there.answerRing(session, says).catch(() => null),
  });
  const say = async (client: Parameters<typeof post>[0], body: string) => {
    const { seq } = await post(client, { body, to: ["@writer"] });
    posted.set(seq, body);
    return seq;
  };
  const { admin } = there.world;
  const scout = await there.world.seat(admin, "docs", { name: "scout" });
  power.state.isCounting = true;
  // Whoever opens a session sees that it failed, and does it again.
  await tolerant(() => there.ask({ op: "register" }), true);
  await tolerant(() => there.ask({ op: "bind", agent: there.writer }), true);
  // Pauses pass quickly while nothing happens.
  afterAll(() => clearInterval(hurry));
  const hurry = setInterval(() => clock.pass(20_000), 30);
  let last = await say(scout, "first words");
  await driver.woken("one");
  await say(admin, "the owner's words");
  last = await say(scout, "more words");
  const deadline = performance.now() + 20_000;
  while ((await there.position()) < last) {
    if (performance.now() > deadline)
      throw new Error(`stuck after step ${cutAt}: ${there.logged.join("\n")}`);
    if (driver.isBusy("one")) {
      await driver.tool("one");
      await driver.answer("one");
    } else await Promise.race([driver.woken("one").catch(() => {}), Bun.sleep(50)]);
  }
  clearInterval(hurry);
  power.state.isCounting = false;
  await next;
  await there.stop();
  expect(wrong).toEqual([]);
  for (const body of posted.values()) expect(answered()).toContain(body);
  return power.state.steps >= cutAt;
}

const lanes = 6;

for (const harness of [playedBell, playedQueue(false), playedQueue(true)])
  test(`${harness.name}: a power cut at any step of the daemon loses nothing`, async () => {
    let step = 0;
    let isOver = false;
    const lane = async () => {
      while (!isOver) {
        const cutAt = ++step;
        const all = ["ask again", "give up"] as const;
        // At each step hooks do the one or the other, and both where much is tried.
        for (const hooks of isLong ? all : [all[cutAt % 2]!])
          if (!(await playWithCut(harness, cutAt, hooks))) isOver = true;
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    expect(step).toBeGreaterThan(30);
  }, 180_000);
