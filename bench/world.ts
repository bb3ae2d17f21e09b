import { createClient, type Client } from "../src/client/client.ts";
import { connect, requestText } from "./drivers/http.ts";
import { body } from "./raw.ts";
import type { RunningService } from "./service.ts";

/** Who posts and reads: the first person, who wrote a board, and one agent on it. */
export interface Desk {
  board: string;
  /** Where messages are posted and read. */
  url: string;
  token: string;
  agentToken: string;
  agentId: string;
}
/** 200 characters to one recipient: what every measured post says. */
export const post = { body, to: ["@reader"] };

/** Makes a board with its owner and one agent. */
export async function makeDesk(service: RunningService, board = "general"): Promise<Desk> {
  const { client, token, url } = service;
  await client.call("createBoard", { body: { name: board } });
  const seat = await join(client, board, "reader");
  const messages = `${url}/v1/boards/${board}/messages`;
  return { board, url: messages, token, agentToken: seat.token, agentId: seat.agent.id };
}

/** Adds another agent to the desk's board. Returns its token. */
export const anotherAgent = async (service: RunningService, { board }: Desk): Promise<string> =>
  (await join(service.client, board, "another")).token;

/**
 * Adds an agent to the desk's board that writes `count` messages to its owner and gets none. The first `awaited` of them wait
 * for the owner's reply. Returns its token.
 */
export async function seldomHeard(
  service: RunningService,
  { board }: Desk,
  count: number,
  awaited = 0,
): Promise<string> {
  const { token } = await join(service.client, board, "seldom");
  const client = createClient({ baseUrl: service.url, token });
  const { name } = await service.client.call("getMe");
  const to = [`@${name}`];
  for (let i = 0; i < count; i++)
    await client.call("postMessage", {
      params: { board },
      body: { body: post.body, to, expects_reply: i < awaited },
    });
  return token;
}

const join = (client: Client, board: string, name: string) =>
  client.call("join", { body: { board, role: "member", name } });

/** Posts so many messages over 64 connections, to the desk's board or each connection to another one of several. */
export async function fill(
  service: RunningService,
  desk: Desk,
  count: number,
  boards: readonly string[] = [desk.board],
): Promise<void> {
  const message = { body: post.body, ...(boards.length === 1 && { to: post.to }) };
  await fillWith(service, desk, count, () => message, boards);
}

/** Posts messages over 64 connections, each with a text made from its number. */
export async function fillWith(
  service: RunningService,
  { token, board }: Desk,
  count: number,
  message: (number: number) => object,
  boards: readonly string[] = [board],
): Promise<void> {
  let next = 0;
  async function work(_: unknown, worker: number): Promise<void> {
    const path = `/v1/boards/${boards[worker % boards.length]!}/messages`;
    const connection = await connect(service.port);
    while (next < count) {
      const text = JSON.stringify(message(next++));
      await connection.send(requestText(service.port, "POST", path, token, text));
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: Math.min(64, count) }, work));
}

/** People, boards and agents of a crowd. The first person owns the boards. */
export interface Crowd {
  people: { token: string; boards: string[] }[];
  boards: string[];
  agents: { token: string; boards: string[] }[];
}
export interface CrowdSize {
  people: number;
  boards: number;
  agents: number;
}

/**
 * Makes a crowd: the first person is on every board, each other person on a third of them (on all when there are
 * fewer than three); agents are dealt to the boards in turn, each owned by one of its board's people.
 */
export async function makeCrowd(service: RunningService, size: CrowdSize): Promise<Crowd> {
  const boards = Array.from({ length: size.boards }, (_, i) => `board-${i + 1}`);
  for (const name of boards) await service.client.call("createBoard", { body: { name } });
  const people = [{ token: service.token, boards, client: service.client }];
  for (let i = 1; i < size.people; i++)
    people.push(
      await newcomer(
        service,
        `person-${i}`,
        boards.filter((_, b) => boards.length < 3 || b % 3 === i % 3),
      ),
    );
  const agents: Crowd["agents"] = [];
  await eachOf(size.agents, async (i) => {
    const board = boards[i % boards.length]!;
    const owners = people.filter((person) => person.boards.includes(board));
    const owner = owners[Math.floor(i / boards.length) % owners.length]!;
    const { token } = await join(owner.client, board, `agent-${i + 1}`);
    agents.push({ token, boards: [board] });
  });
  return { people: people.map(({ token, boards }) => ({ token, boards })), boards, agents };
}

async function newcomer(service: RunningService, handle: string, boards: string[]) {
  const { invite } = await service.client.call("createServerInvite");
  const { key } = await service.client.call("connect", {
    body: { invite, handle, key_name: "bench" },
  });
  if (!("token" in key)) throw new Error("a key without its secret");
  for (const board of boards)
    await service.client.call("addPerson", { params: { board }, body: { handle } });
  const client = createClient({ baseUrl: service.url, token: key.token });
  return { token: key.token, boards, client };
}

/** Does something for 0 to `count` - 1, 16 at a time. */
async function eachOf(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
