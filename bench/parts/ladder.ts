import type { Delivered } from "../drivers/delivery.ts";
import { figure, type Section, type Table } from "../figures.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService } from "../service.ts";
import { makeCrowd } from "../world.ts";
import { deliver, scheduleFor } from "./delivery.ts";
import type { Context } from "./part.ts";

/** One rung: how many agents wait, how many posts come a second, and how long everything took. */
export interface Rung {
  agents: number;
  rate: number;
  delivered: Delivered;
}
export interface LadderSection extends Section {
  rungs: Rung[];
}

const rates = [10, 25, 50, 100, 200];
const size = { people: 25, boards: 15 };
const streamsOfPerson = 2;
/** A rung whose median long poll takes longer is the last: the posts of the next would wait for its rest. */
const slowestMs = 1000;

/** A team at work: every post goes to all agents of its board, each of which waits on its inbox. */
export async function measureLadder(context: Context): Promise<LadderSection> {
  const rungs: Rung[] = [];
  for (const agents of [250, 2500]) rungs.push(...(await climb(context, agents)));
  return {
    title: "Ladder",
    definitions: [
      "25 people with two streams each, 15 boards, 250 or 2,500 agents dealt to the boards in turn. The first person is on every board, each other one on five. Every agent waits on its inbox (`wait=600`, `after` its last message) and every post is addressed to all agents of its board (`role:member`), boards in turn, at a fixed rate.",
      "Times run from the sending of a post: to its answer, to each stream of somebody on its board, to each agent's answer. One run for each rung, after a second that does not count. A rung whose median long poll took over a second is the last of its crowd; what nobody had seen ten seconds after a rung's last post is counted as not seen. Sent late: by how much the driver, which shares the machine, missed the moment a post was due.",
    ],
    rows: [],
    table: tableOf(rungs),
    rungs,
  };
}

async function climb({ scratch, quick }: Context, agents: number): Promise<Rung[]> {
  const folder = folderIn(scratch, "ladder");
  const service = await startService(folder);
  const crowd = await makeCrowd(service, { ...size, agents });
  const streams = crowd.people.flatMap((person) => Array(streamsOfPerson).fill(person));
  const schedules = rates.map((rate) => scheduleFor(crowd, rate, quick ? 2 : 8));
  const warm = scheduleFor(crowd, rates[0]!, 1);
  const listeners = { port: service.port, streams, agents: crowd.agents };
  const inTime = ({ poll }: Delivered) => poll.p50 < slowestMs;
  const [, ...delivered] = await deliver(listeners, [warm, ...schedules], inTime);
  await service.stop();
  removeFolder(folder);
  return delivered.map((delivered, i) => ({ agents, rate: rates[i]!, delivered }));
}

const ways = { write: "answer", stream: "stream", poll: "long poll" } as const;

/** Each rung in milliseconds: p50, p95 and p99 of each way. */
function tableOf(rungs: Rung[]): Table {
  const head = Object.values(ways).map((name) => `post to ${name}: p50 / p95 / p99, ms`);
  return {
    head: ["agents", "posts/s", ...head, "sent late p99, ms", "not seen"],
    rows: rungs.map(({ agents, rate, delivered }) => [
      agents.toLocaleString("en"),
      String(rate),
      ...Object.keys(ways).map((way) => {
        const { p50, p95, p99 } = delivered[way as keyof typeof ways];
        return [p50, p95, p99].map(figure).join(" / ");
      }),
      figure(delivered.late.p99),
      String(delivered.missing),
    ]),
  };
}
