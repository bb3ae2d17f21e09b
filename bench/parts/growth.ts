import { startDriver } from "../drivers/driver.ts";
import type { StreamRequests } from "../drivers/streams.ts";
import { atMost, compared, type Row, type Section } from "../figures.ts";
import { profileOfLoad } from "../profile.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService, type RunningService } from "../service.ts";
import { fill, makeDesk, post, seldomHeard, type Desk } from "../world.ts";
import { wrk } from "../wrk.ts";
import { alternate, costOnBoth, type Context, type Sizes } from "./part.ts";

/** A server's folder, the board that is measured on it and the one that warms its program. */
interface Subject {
  folder: string;
  desk: Desk;
  warm: Desk;
  /** Token of an agent that wrote to the owner a few times, before all else. */
  seldom: string;
  events: number;
}
/** A server that runs on a subject's folder. */
interface Server extends Subject {
  service: RunningService;
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
type Both = Sizes<Costs>;

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
      "The boards are filled over HTTP, with the post that is measured. A server runs on each folder, warmed on another board, and they are asked in turn: small, large, large, small. The small folder is made anew for each run and posts come after pages, so that its pages are read from a board of the size named. The large one keeps what each run posts.",
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
    const costs = await costsBeside(small, large);
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

/** The costs on both servers, each asked in turn. */
async function costsBeside(small: Subject, large: Subject): Promise<Both> {
  const servers = { small: await serve(small), large: await serve(large) };
  const costs = { small: {}, large: {} } as Both;
  for (const what of Object.keys(requestsTo(small)) as (keyof Costs)[]) {
    const ends = [await meanwhile[what]?.(servers.small), await meanwhile[what]?.(servers.large)];
    const both = await costOnBoth(servers, (server) => costOf(server, requestsTo(server)[what]));
    for (const end of ends) await end?.();
    costs.small[what] = both.small;
    costs.large[what] = both.large;
  }
  await servers.small.service.stop();
  await servers.large.service.stop();
  return costs;
}

/** Starts a server on a subject's folder and warms its program on another board. */
async function serve(subject: Subject): Promise<Server> {
  const server = { ...subject, service: await startService(subject.folder) };
  const messages = `/v1/boards/${subject.warm.board}/messages`;
  for (let second = 1; second <= 2; second++) await costOf(server, { path: messages, body: post });
  await costOf(server, { path: `${messages}?newest=true` });
  return server;
}

/** A GET, or the POST of a body. Unless it says otherwise, the owner sends it over 64 connections. */
interface Request {
  path: string;
  body?: unknown;
  token?: string;
  connections?: number;
}

/** What is measured, in this order: posts come after pages. */
function requestsTo({ desk, seldom, events }: Subject): Record<keyof Costs, Request> {
  const messages = `/v1/boards/${desk.board}/messages`;
  const newest = `${messages}?newest=true&limit=50`;
  return {
    newest: { path: newest },
    middle: { path: `${messages}?after=${events / 2}&limit=50` },
    filtered: { path: `${newest}&to_me=true` },
    restricted: { path: newest, token: seldom },
    post: { path: messages, body: post },
    watched: { path: messages, body: post },
    list: { path: "/v1/boards", connections: 1 },
    short: { path: "/v1/boards?form=short", connections: 1 },
    ten: { path: "/v1/boards?form=short&limit=10", connections: 1 },
    attention: { path: "/v1/me/attention" },
  };
}

/** What holds while some of them are measured. Each gives the function that ends it. */
const meanwhile: {
  readonly [what in keyof Costs]?: (server: Server) => Promise<() => Promise<unknown>>;
} = {
  async restricted({ service, desk }) {
    const policy = (visibility: "open" | "addressed") =>
      service.client.call("updateBoard", {
        params: { board: desk.board },
        body: { policy: { visibility } },
      });
    await policy("addressed");
    return () => policy("open");
  },
  async watched({ service: { port, token } }) {
    const driver = startDriver<StreamRequests>("streams.ts");
    await driver.ask("open", { port, path: "/v1/stream", tokens: [token], each: 1 });
    return () => driver.stop();
  },
};

/** Measures one request for a second. */
async function costOf({ service }: Server, { path, ...request }: Request): Promise<number> {
  const { url, token } = service;
  const load = { url: url + path, token, connections: 64, seconds: 1, ...request };
  return 1e6 / (await wrk(load)).rate;
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
