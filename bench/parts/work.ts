import { atMost, compared, type Row, type Section } from "../figures.ts";
import { profileOfLoad } from "../profile.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService, type RunningService } from "../service.ts";
import { fillWith, makeDesk, post, type Desk } from "../world.ts";
import { wrk } from "../wrk.ts";
import { alternate, costOnBoth, type Context, type Sizes } from "./part.ts";

/** The size of a board. */
interface Size {
  tasks: number;
  messages: number;
}
const few: Size = { tasks: 100, messages: 5_000 };
const many: Size = { tasks: 1_000, messages: 100_000 };

/** A server's folder, the board that is measured on it, and the one that warms its program. */
interface Subject {
  folder: string;
  desk: Desk;
  warm: Desk;
}

/**
 * Words that two messages and one task have, the oldest of both kinds, on every board. In the alphabet the first one
 * follows words that one message has each, the other one a word that every message has.
 */
const rare = "zephyr";
const afterFrequent = "trove";

/** A request about a board: its path after the board's, and the body of a POST. */
const requests = {
  "list of tasks": { path: "tasks?limit=50" },
  "list of closed tasks": { path: "tasks?state=done&limit=50" },
  "one task": { path: "tasks/7" },
  "page of messages": { path: "messages?newest=true&limit=50" },
  "page of a task's messages": { path: "messages?task=7&newest=true&limit=50" },
  "post about a task": { path: "messages", body: { ...post, about: ["7"] } },
  "search for a rare word": { path: `search?q=${rare}&limit=20` },
  "search for the beginning of a rare word": { path: `search?q=${rare.slice(0, 4)}*&limit=20` },
  "search for a beginning next to a frequent word": {
    path: `search?q=${afterFrequent.slice(0, 4)}*&limit=20`,
  },
  "search for a word of every message": { path: "search?q=tokenizer&limit=20" },
  "search for two such words": { path: "search?q=tokenizer+parser&limit=20" },
  "search for a word of every task": { path: "search?q=chapter&kind=task&limit=20" },
  "search for the beginning of a word of every message": { path: "search?q=token*&limit=20" },
} as const satisfies Record<string, { path: string; body?: unknown }>;
type What = keyof typeof requests;
/** Microseconds of a request: the inverse of the rate. */
type Costs = Record<What, number>;

/** What has no target: it costs what it finds, up to 500 tasks, or what the index has of a beginning or next to it. */
const untargeted: readonly What[] = [
  "search for a beginning next to a frequent word",
  "search for a word of every task",
  "search for the beginning of a word of every message",
];

/** Tasks, messages about them and searches on a small and on a large board. */
export async function measureWork(context: Context): Promise<Section> {
  const large = await prepare(context, many);
  const runs = await alternate(context.runs, async () => {
    const small = await prepare(context, few);
    const costs = await costsBeside(small, large);
    removeFolder(small.folder);
    return costs;
  });
  removeFolder(large.folder);
  const rows = (Object.keys(requests) as What[]).map((what): Row =>
    compared(
      "µs",
      { what, values: runs.map((run) => run.large[what]) },
      { what: "small board", values: runs.map((run) => run.small[what]) },
      untargeted.includes(what) ? {} : { target: atMost(1.1), profile: largeBoard },
    ),
  );
  return {
    title: "Growth of a board's work",
    definitions: [
      `A board with ${sizeText(many)} beside one with ${sizeText(few)}. Cost of a request: the inverse of the rate at 16 connections. Growth: the cost on the large board divided by that on the small one.`,
      "Each message is about one task, in turn; half of the tasks are closed. Lists and pages show 50 records, searches 20. A server runs on each folder, warmed on another board, and they are asked in turn: small, large, large, small. The search index of both is filled before.",
      "The rare words stand in two messages and in one task of each board, the oldest ones. A search ranks the newest 500 that it finds. One for a beginning that many texts have reads all that the index has of it, and it may begin with all that the index has of the word before it, which in one row every message has.",
    ],
    rows,
  };
}

const sizeText = ({ tasks, messages }: Size) =>
  `${tasks.toLocaleString("en")} tasks and ${messages.toLocaleString("en")} messages`;

/** Makes a server's folder with a board of such a size, and a small one to warm the program with. */
async function prepare({ scratch }: Context, size: Size): Promise<Subject> {
  const folder = folderIn(scratch, "work");
  const service = await startService(folder);
  const warm = await makeDesk(service, "warm");
  await fillBoard(service, warm, few);
  const desk = await makeDesk(service);
  await fillBoard(service, desk, size);
  await service.stop();
  return { folder, desk, warm };
}

async function fillBoard(service: RunningService, desk: Desk, { tasks, messages }: Size) {
  const { client } = service;
  const params = { board: desk.board };
  for (let number = 1; number <= tasks; number++) {
    const title = `Chapter ${number}${number === 1 ? ` ${rare} ${afterFrequent}` : ""}`;
    await client.call("createTask", { params, body: { title, about: post.body } });
    const closed = { params: { ...params, task: String(number) }, body: { note: "Written." } };
    if (number % 2 === 0) await client.call("finishTask", closed);
  }
  await fillWith(service, desk, messages, (number) => ({
    ...post,
    body: `${post.body} Item z${number}.${number < 2 ? ` ${rare} ${afterFrequent}` : ""}`,
    about: [String(1 + (number % tasks))],
  }));
  const query = { q: rare };
  while (!(await client.call("searchBoard", { params, query })).complete);
}

/** The costs on both boards, each asked in turn. */
async function costsBeside(small: Subject, large: Subject): Promise<Sizes<Costs>> {
  const servers = { small: await serve(small), large: await serve(large) };
  const costs = { small: {}, large: {} } as Sizes<Costs>;
  for (const what of Object.keys(requests) as What[]) {
    await costOf(what, servers.small, "warm");
    await costOf(what, servers.large, "warm");
    const both = await costOnBoth(servers, (server) => costOf(what, server, "desk"));
    costs.small[what] = both.small;
    costs.large[what] = both.large;
  }
  await servers.small.service.stop();
  await servers.large.service.stop();
  return costs;
}

/** A server that runs on a subject's folder. */
interface Server extends Subject {
  service: RunningService;
}
const serve = async (subject: Subject): Promise<Server> => ({
  ...subject,
  service: await startService(subject.folder),
});

async function costOf(what: What, server: Server, on: "desk" | "warm"): Promise<number> {
  const { path, ...body }: { path: string; body?: unknown } = requests[what];
  const { url, token } = server.service;
  const target = `${url}/v1/boards/${server[on].board}/${path}`;
  return 1e6 / (await wrk({ url: target, token, connections: 16, seconds: 1, ...body })).rate;
}

const largeBoard = profileOfLoad(`lists and searches, ${sizeText(many)}`, async (service) => {
  const desk = await makeDesk(service);
  await fillBoard(service, desk, many);
  const { url, token } = service;
  for (const { path } of Object.values(requests).filter((request) => !("body" in request)))
    await wrk({
      url: `${url}/v1/boards/${desk.board}/${path}`,
      token,
      connections: 16,
      seconds: 1,
    });
});
