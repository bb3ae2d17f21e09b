import { startDriver } from "../drivers/driver.ts";
import type { StreamRequests } from "../drivers/streams.ts";
import { atMost, compared, type Row, type Section } from "../figures.ts";
import { profileOfLoad } from "../profile.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService } from "../service.ts";
import { fill, makeDesk, post, type Desk } from "../world.ts";
import { wrk } from "../wrk.ts";
import { alternate, type Context } from "./part.ts";

/** A server's folder, the board that is measured on it and the one that warms its program. */
interface Subject {
  folder: string;
  desk: Desk;
  warm: Desk;
  events: number;
}
/** Microseconds of a request: the inverse of the rate. */
interface Costs {
  newest: number;
  middle: number;
  list: number;
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
      "A page: the newest 50 messages, or 50 from the middle of the log. Watched: posts while their sender has a stream open. List: `GET /v1/boards` with the same boards in both, over one connection.",
    ],
    rows: [
      ...growthRows(`${events.toLocaleString("en")} events`, "1,000 events", longer, true),
      ...growthRows("1,000 boards", "10 boards", wider, false),
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
  for (let i = 3; i <= boards; i++)
    await service.client.call("createBoard", { body: { name: `board-${i}` } });
  await fill(service, desk, events);
  await service.stop();
  return { folder, desk, warm, events };
}

async function costsOf(subject: Subject, { seconds }: Context): Promise<Costs> {
  const { folder, desk, warm, events } = subject;
  const service = await startService(folder);
  const longest = Math.min(2, seconds);
  async function cost(at: string, body?: unknown, connections = 64, seconds = longest) {
    const load = { url: service.url + at, token: service.token, connections, seconds };
    return 1e6 / (await wrk({ ...load, ...(body !== undefined && { body }) })).rate;
  }
  const messages = `/v1/boards/${desk.board}/messages`;
  const elsewhere = `/v1/boards/${warm.board}/messages`;
  await cost(elsewhere, post, 64, 2);
  await cost(`${elsewhere}?newest=true`, undefined, 64, 1);

  const newest = await cost(`${messages}?newest=true&limit=50`);
  const middle = await cost(`${messages}?after=${events / 2}&limit=50`);
  const posts = await cost(messages, post);
  const driver = startDriver<StreamRequests>("streams.ts");
  const open = { port: service.port, path: "/v1/stream", tokens: [service.token], each: 1 };
  await driver.ask("open", open);
  const watched = await cost(messages, post, 64, 1);
  await driver.stop();
  const list = await cost("/v1/boards", undefined, 1, 1);
  await service.stop();
  return { newest, middle, list, post: posts, watched };
}

function growthRows(large: string, small: string, runs: Both[], listed: boolean): Row[] {
  const row = (what: string, of: keyof Costs, isTarget = false) =>
    compared(
      "µs",
      { what: `${what}, ${large}`, values: runs.map((run) => run.large[of]) },
      { what: small, values: runs.map((run) => run.small[of]) },
      { ...(isTarget && { target: atMost(1.2), profile: largeBoard }) },
    );
  return [
    row("post", "post", true),
    row("newest page", "newest", true),
    row("page from the middle", "middle", true),
    row("watched post", "watched"),
    ...(listed ? [row("list of boards", "list")] : []),
  ];
}

const largeBoard = profileOfLoad("posts and pages, 100,000 events", async (service) => {
  const desk = await makeDesk(service);
  await fill(service, desk, 100_000);
  const load = { token: desk.token, connections: 64, seconds: 3 };
  await wrk({ ...load, url: `${desk.url}?newest=true&limit=50` });
  await wrk({ ...load, url: desk.url, body: post });
});
