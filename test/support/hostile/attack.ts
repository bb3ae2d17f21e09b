import { drawFrom } from "./draw.ts";
import { framed, plain } from "./framings.ts";
import { isHttp, mayWait, wrongAnswer, wrongWith } from "./judge.ts";
import type { Measured, Memory } from "./measured-server.ts";
import { bringParties, learnIds, newScene, type Scene } from "./parties.ts";
import { hostileRequest, type Hostile } from "./requests.ts";
import { connectWire, type Outcome, type Wire } from "./wire.ts";

/** A request that was answered wrongly, as small as it could be made. */
interface Failure {
  readonly number: number;
  readonly wrong: string;
  readonly how: string;
  readonly request: Hostile;
}
/** What came of an attack. */
export interface Attack {
  readonly failures: readonly Failure[];
  /** How many answers there were of each status; 0 counts what was not answered. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Operations that succeeded at least once. */
  readonly succeeded: ReadonlySet<string>;
  readonly scene: Scene;
  /** After each round. */
  readonly memory: readonly Memory[];
}

/** How many wrong answers end an attack at once; fewer end it with their round. */
const most = 5;
/** How many connections send at once, and how many requests go between two rounds of new people. */
const connections = 16;
const inRound = 1000;
/** How long an answer may take, one to a request that waits, and what comes on a connection that was misused; in milliseconds. */
const patience = { answer: 30_000, waiting: 20, misused: 40 };
/** An hour passes with each round, so that what ends by time ends. */
const roundSeconds = 3600;

/** Sends so many requests that are drawn from a seed, and judges every answer. Stops when some are wrong. */
export async function attack(
  server: Measured,
  {
    seed,
    requests,
    report,
  }: { seed: number; requests: number; report?: (sent: number, memory: Memory) => void },
): Promise<Attack> {
  const scene = newScene();
  const failures: Failure[] = [];
  const statuses: Record<number, number> = {};
  const succeeded = new Set<string>();
  const memory: Memory[] = [];
  const wires: (Wire | undefined)[] = [];
  let number = 0;

  const count = (status: number) => (statuses[status] = (statuses[status] ?? 0) + 1);
  const fail = (of: number, wrong: string, how: string, request: Hostile) =>
    void failures.push({ number: of, wrong, how, request });
  /** A connection of a slot, and a new one if it has ended. */
  async function wireOf(slot: number): Promise<Wire> {
    const open = wires[slot];
    return open?.isOpen() ? open : (wires[slot] = await connectWire(server.port));
  }
  function drop(slot: number): void {
    wires[slot]?.cut();
    wires[slot] = undefined;
  }

  async function sendPlainly(slot: number, request: Hostile): Promise<Outcome> {
    const bytes = Buffer.from(plain(request), "latin1");
    const wait = mayWait(request) ? patience.waiting : patience.answer;
    for (let attempt = 0; ; attempt++) {
      const wire = await wireOf(slot);
      wire.send(bytes);
      const outcome = await wire.next(wait, request.method === "HEAD");
      const isStream = typeof outcome === "object" && isOpenEnded(outcome.headers);
      if (typeof outcome === "string" || isStream || !isHttp(request)) drop(slot);
      // The server may close an idle connection at the moment in which a request comes.
      if (outcome !== "hung up" || attempt > 0 || !isHttp(request)) return outcome;
    }
  }

  function heard(request: Hostile, outcome: Outcome, how: string): void {
    if (typeof outcome === "string") return void count(0);
    count(outcome.status);
    if (outcome.status >= 300) return;
    if (request.of) succeeded.add(request.of);
    if (how === "plainly" && outcome.body.length < 20_000) learnIds(scene, outcome.body.toString());
  }

  async function one(slot: number, of: number): Promise<void> {
    const draw = drawFrom(seed, of);
    const request = hostileRequest(draw, scene);
    const manner = draw.int(100);
    const send = manner < 6 ? misuse : manner < 8 ? pipeline : sendAlone;
    try {
      await send(slot, request, of);
    } catch (error) {
      fail(of, `${(error as Error).message}: the server may have ended`, send.name, request);
    }
  }

  async function sendAlone(slot: number, request: Hostile, of: number): Promise<void> {
    const outcome = await sendPlainly(slot, request);
    heard(request, outcome, "plainly");
    const wrong = wrongWith(request, outcome);
    if (wrong)
      fail(of, wrong, "plainly", await smallest(request, wrong, (each) => sendPlainly(slot, each)));
  }

  /** Sends a request as no client does, on a connection of its own. */
  async function misuse(slot: number, request: Hostile, of: number): Promise<void> {
    drop(slot);
    const wire = await wireOf(slot);
    const { what, pieces, end } = framed(request, drawFrom(seed, of, 1));
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) await Bun.sleep(1);
      wire.send(Buffer.from(piece, "latin1"));
    }
    if (end === "finishes") wire.finish();
    if (end !== "cuts")
      for (;;) {
        const outcome = await wire.next(patience.misused, request.method === "HEAD");
        heard(request, outcome, what);
        if (typeof outcome === "string") break;
        const wrong = wrongAnswer(request, outcome, false);
        if (wrong) fail(of, wrong, what, request);
        if (isOpenEnded(outcome.headers)) break;
      }
    drop(slot);
  }

  /** Sends some requests at once on one connection. */
  async function pipeline(slot: number, first: Hostile, of: number): Promise<void> {
    const draw = drawFrom(seed, of, 2);
    const others = Array.from({ length: 1 + draw.int(4) }, () => hostileRequest(draw, scene));
    const all = [first, ...others].filter(
      (each) => isHttp(each) && !mayWait(each) && !hasOwnEnd(each),
    );
    drop(slot);
    const wire = await wireOf(slot);
    wire.send(Buffer.from(all.map(plain).join(""), "latin1"));
    for (const request of all) {
      const outcome = await wire.next(patience.answer, request.method === "HEAD");
      heard(request, outcome, "pipelined");
      const wrong = outcome === "hung up" ? null : wrongWith(request, outcome);
      if (wrong) fail(of, wrong, `pipelined with ${all.length - 1} others`, request);
      if (typeof outcome === "string" || isOpenEnded(outcome.headers)) break;
    }
    drop(slot);
  }

  for (let round = 1; round <= Math.ceil(requests / inRound); round++) {
    await bringParties(server, scene, round);
    const last = Math.min(round * inRound, requests);
    const slot = async (at: number) => {
      while (number < last && failures.length < most) await one(at, number++);
    };
    await Promise.all(Array.from({ length: connections }, (_, at) => slot(at)));
    if (failures.length > 0) break;
    memory.push(await server.measure(roundSeconds));
    report?.(number, memory.at(-1)!);
  }
  wires.forEach((wire) => wire?.cut());
  return { failures, statuses, succeeded, scene, memory };
}

const isOpenEnded = (headers: Readonly<Record<string, string>>) =>
  headers["content-type"]?.startsWith("text/event-stream") ?? false;
/** Whether the connection ends with the answer to a request. */
const hasOwnEnd = ({ lines }: Hostile) =>
  lines.some((line) => /^(connection|upgrade|expect):/i.test(line));

/** Leaves out of a request what it needs not to be answered just as wrongly. */
async function smallest(
  request: Hostile,
  wrong: string,
  send: (request: Hostile) => Promise<Outcome>,
): Promise<Hostile> {
  let found = request;
  const smaller = (): Hostile[] => [
    { ...found, body: "" },
    { ...found, target: found.target.split("?")[0]! },
    ...found.lines
      .slice(1)
      .map((line) => ({ ...found, lines: found.lines.filter((each) => each !== line) })),
  ];
  for (const each of smaller())
    if (wrongWith(each, await send(each)) === wrong)
      found = { ...found, ...intersection(found, each) };
  return found;
}
/** What two requests have both. */
const intersection = (one: Hostile, other: Hostile): Partial<Hostile> => ({
  body: other.body.length < one.body.length ? other.body : one.body,
  target: other.target.length < one.target.length ? other.target : one.target,
  lines: one.lines.filter((line) => other.lines.includes(line)),
});
