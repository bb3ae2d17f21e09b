import { startDriver } from "../drivers/driver.ts";
import type { StreamRequests } from "../drivers/streams.ts";
import { atMost, compared, type Row, type Section } from "../figures.ts";
import { profileOfLoad } from "../profile.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService } from "../service.ts";
import { fill, makeDesk, post, seldomHeard, type Desk } from "../world.ts";
import { wrk } from "../wrk.ts";
import { alternate, type Context } from "./part.ts";

/** A server's folder, the board that is measured on it and the one that warms its program. */
interface Subject {
  folder: string;
  desk: Desk;
  warm: Desk;
  /** Token of an agent that wrote to the owner a few times, before all else. */
  seldom: string;
  events: number;
}
/** Microseconds of a request: the inverse of the rate. */
interface Costs {
  newest: number;
  middle: number;
  filtered: number;
  restricted: number;
  list: number;
  short: number;
  ten: number;
  attention: number;
  post: number;
  watched: number;
}
interface Both {
  small: Costs;
  large: Costs;
}

/** The same requests on a small and on a large board, and on a server of few and of many boards. */
export async function measureGrowth(context: Context): Promise<Section> {
  const events = context.quick ? 100_000 : 1_000_000;
  const longer = await besides(context, { boards: 2, events: 1000 }, { boards: 2, events });
  const wider = await besides(
    context,
    { boards: 10, events: 1000 },
    { boards: 1000, events: 1000 },
  );
  return {
    title: "Growth",
    definitions: [
      "Cost of a request: the inverse of the rate at 64 connections. Growth: the cost on the large server divided by that on the small one.",
      "The boards are filled over HTTP, with the post that is measured. For each measurement a server is started on its folder and its program warmed on another board, large and small alike. The small folder is made anew for each run and posts come after pages, so that pages are read from boards of the size named.",
      "A page: the newest 50 messages, or 50 from the middle of the log. Filtered: the newest 50 that reach the owner (`to_me`). Restricted: the newest 50 that an agent may read under the policy `addressed`. In both those are the board's first 50, which this agent wrote to the owner; all others go to another agent. Watched: posts while their sender has a stream open. List: `GET /v1/boards` with the same boards in both, over one connection. Short list: `form=short`, whose first page has 500 boards, or ten with `limit=10`. Attention: `GET /v1/me/attention` of the owner of all boards, whose reply 20 messages wait for.",
    ],
    rows: [
      ...growthRows(`${events.toLocaleString("en")} events`, "1,000 events", longer),
      growthRow(
        `list of boards, ${events.toLocaleString("en")} events`,
        "1,000 events",
        longer,
        "list",
      ),
      ...growthRows("1,000 boards", "10 boards", wider),
      growthRow("ten of the short list, 1,000 boards", "10 boards", wider, "ten"),
      growthRow("20 items of attention, 1,000 boards", "10 boards", wider, "attention", 1.1),
      compared(
        "µs",
        { what: "short list, 1,000 boards", values: wider.map(({ large }) => large.short) },
        { what: "whole list", values: wider.map(({ large }) => large.list) },
      ),
    ],
  };
}

type Size = { boards: number; events: number };

/** Measures a small server, made anew for each run, and a large one in turn. */
async function besides(context: Context, few: Size, many: Size): Promise<Both[]> {
  const large = await prepare(context, many);
  const runs = await alternate(context.runs, async () => {
    const small = await prepare(context, few);
    const costs = { small: await costsOf(small, context), large: await costsOf(large, context) };
    removeFolder(small.folder);
    return costs;
  });
  removeFolder(large.folder);
  return runs;
}

/** Makes a server's folder with so many boards, one of which has so many messages. */
async function prepare({ scratch }: Context, { boards, events }: Size): Promise<Subject> {
  const folder = folderIn(scratch, "growth");
  const service = await startService(folder);
  const warm = await makeDesk(service, "warm");
  const desk = await makeDesk(service);
  const seldom = await seldomHeard(service, desk, 50, 20);
  for (let i = 3; i <= boards; i++)
    await service.client.call("createBoard", { body: { name: `board-${i}` } });
  await fill(service, desk, events);
  await service.stop();
  return { folder, desk, warm, seldom, events };
}

async function costsOf(subject: Subject, { seconds }: Context): Promise<Costs> {
  const { folder, desk, warm, seldom, events } = subject;
  const service = await startService(folder);
  const longest = Math.min(2, seconds);
  const own = service.token;
  async function cost(
    at: string,
    { body, token = own, connections = 64, seconds = longest }: Request = {},
  ) {
    const load = { url: service.url + at, token, connections, seconds };
    return 1e6 / (await wrk({ ...load, ...(body !== undefined && { body }) })).rate;
  }
  const policy = (visibility: "open" | "addressed") =>
    service.client.call("updateBoard", {
      params: { board: desk.board },
      body: { policy: { visibility } },
    });
  const messages = `/v1/boards/${desk.board}/messages`;
  const elsewhere = `/v1/boards/${warm.board}/messages`;
  await cost(elsewhere, { body: post, seconds: 2 });
  await cost(`${elsewhere}?newest=true`, { seconds: 1 });

  const newest = await cost(`${messages}?newest=true&limit=50`);
  const middle = await cost(`${messages}?after=${events / 2}&limit=50`);
  const filtered = await cost(`${messages}?to_me=true&newest=true&limit=50`);
  await policy("addressed");
  const restricted = await cost(`${messages}?newest=true&limit=50`, { token: seldom });
  await policy("open");
  const posts = await cost(messages, { body: post });
  const driver = startDriver<StreamRequests>("streams.ts");
  const open = { port: service.port, path: "/v1/stream", tokens: [service.token], each: 1 };
  await driver.ask("open", open);
  const watched = await cost(messages, { body: post, seconds: 1 });
  await driver.stop();
  const listed = (query: string) => cost(`/v1/boards${query}`, { connections: 1, seconds: 1 });
  const list = await listed("");
  const short = await listed("?form=short");
  const ten = await listed("?form=short&limit=10");
  const attention = await cost("/v1/me/attention", { seconds: 1 });
  await service.stop();
  return {
    newest,
    middle,
    filtered,
    restricted,
    post: posts,
    watched,
    list,
    short,
    ten,
    attention,
  };
}

interface Request {
  body?: unknown;
  token?: string;
  connections?: number;
  seconds?: number;
}

/** The cost of one request on the large servers beside that on the small ones. */
const growthRow = (what: string, small: string, runs: Both[], of: keyof Costs, most?: number) =>
  compared(
    "µs",
    { what, values: runs.map((run) => run.large[of]) },
    { what: small, values: runs.map((run) => run.small[of]) },
    { ...(most && { target: atMost(most), profile: largeBoard }) },
  );

function growthRows(large: string, small: string, runs: Both[]): Row[] {
  const row = (what: string, of: keyof Costs, isTarget = false) =>
    growthRow(`${what}, ${large}`, small, runs, of, isTarget ? 1.1 : undefined);
  return [
    row("post", "post", true),
    row("newest page", "newest", true),
    row("page from the middle", "middle", true),
    row("filtered page", "filtered"),
    row("restricted page", "restricted"),
    row("watched post", "watched"),
  ];
}

const largeBoard = profileOfLoad("posts and pages, 100,000 events", async (service) => {
  const desk = await makeDesk(service);
  await fill(service, desk, 100_000);
  const load = { token: desk.token, connections: 64, seconds: 3 };
  await wrk({ ...load, url: `${desk.url}?newest=true&limit=50` });
  await wrk({ ...load, url: desk.url, body: post });
});
