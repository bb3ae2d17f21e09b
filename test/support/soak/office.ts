import { createClient } from "../../../src/client/client.ts";
import type { Draw } from "../hostile/draw.ts";
import type { Measured } from "../hostile/measured-server.ts";
import { inTurns } from "./in-turns.ts";

/** How many work in an office. */
export interface Size {
  readonly people: number;
  readonly agents: number;
  /** Most sentences of a message. */
  readonly sentences: number;
}

/** People and agents who use a server day after day. */
export interface Office {
  /** Half a day of everybody's work. */
  readonly work: () => Promise<void>;
}

/** Opens boards on a server, and brings people and their agents onto them. */
export async function openOffice(server: Measured, size: Size, draw: Draw): Promise<Office> {
  const as = (token?: string) =>
    createClient({ baseUrl: server.url, ...(token && { token }), fetch: server.handle });
  const admin = as(server.key);
  const nobody = as();
  let named = 0;
  const newName = (what: string) => `${what}-${++named}`;

  async function newPerson() {
    const { invite } = await admin.call("createServerInvite");
    const handle = newName("person");
    const { key } = await nobody.call("connect", { body: { invite, handle, key_name: "box" } });
    if (!("token" in key)) throw new Error("a key without its secret");
    const board = newName("board");
    const client = as(key.token);
    await client.call("createBoard", { body: { name: board } });
    return { ...client, handle, token: key.token, params: { board } };
  }
  type Person = Awaited<ReturnType<typeof newPerson>>;
  async function newAgent(owner: Person) {
    const name = newName("agent");
    const body = { ...owner.params, role: "member", name };
    const { token } = await owner.call("join", { body });
    return { ...as(token), token, name, owner, params: owner.params };
  }
  type Agent = Awaited<ReturnType<typeof newAgent>>;

  const people = await inTurns(Array.from({ length: size.people }), newPerson);
  const agents = await inTurns(Array.from({ length: size.agents }), (_, i) =>
    newAgent(people[i % size.people]!),
  );

  /** Ends requests that were left open. */
  let leaving = new AbortController();
  /** Opens what stays open until the half day ends: a stream, or a wait. */
  async function holdOpen(path: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request(server.url + path, { headers, signal: leaving.signal });
    const held = server.handle(request).then(({ body }) => body?.getReader().read());
    await Promise.race([held, Bun.sleep(5)]).catch(() => {});
    held.catch(() => {});
  }

  async function workOfAgent(agent: Agent): Promise<void> {
    const { call, params } = agent;
    await call("setPresence", { body: { presence: "working" } });
    const other = draw.pick(agents.filter(({ owner }) => owner === agent.owner));
    const body = `${"I have read what you wrote. ".repeat(1 + draw.int(size.sentences))}@${other.name}`;
    const { id } = await call(
      "postMessage",
      { params, body: { body } },
      { idempotencyKey: newKey() },
    );
    await call("setLine", { body: { kind: "working", text: `On ${newName("part")}` } });
    const { messages } = await call("getInbox");
    const last = messages.at(-1)?.seq;
    if (last !== undefined) await call("ackInbox", { body: { up_to: last } });
    if (draw.chance(0.3)) await call("addReaction", { params: { message: id, reaction: "eyes" } });
    if (draw.chance(0.2)) await workOnTask(agent);
    if (draw.chance(0.1)) await call("searchBoard", { params, query: { q: "wrote" } });
    if (draw.chance(0.2)) await holdOpen("/v1/me/inbox?wait=600", agent.token);
  }
  async function workOnTask({ call, params }: Agent): Promise<void> {
    const { ref } = await call("createTask", {
      params,
      body: { title: newName("task"), start: true },
    });
    const task = { ...params, task: ref };
    await call("finishTask", { params: task, body: { note: "It is done." } });
  }

  async function workOfPerson(person: Person): Promise<void> {
    const { call, send, upload, handle, params } = person;
    await holdOpen("/v1/stream", person.token);
    await call("getAttention");
    await call("listMessages", { params });
    await call("listEvents", { params, query: { newest: true } });
    await upload(
      { params, query: { name: `${newName("file")}.md` } },
      new Blob([newName("bytes")]),
    );
    await signIn(person);
    // What ends by time alone.
    await call("createLoginCode");
    await call("createJoinCode", { params, body: { role: "member", ttl_seconds: 3600 } });
    await call("createKey", { body: { name: newName("key"), ttl_seconds: 3600 } });
    await nobody.call("startMachineRequest", { body: { handle, label: "box" } });
    // What is refused.
    await as(`abh_${newName("x").padEnd(43, "x")}`).send("getMe");
    await nobody.send("createBrowserToken", { body: { code: newName("code") } });
    await send("getBoard", { params: { board: newName("missing") } });
  }
  async function signIn({ call }: Person): Promise<void> {
    const { code } = await call("createLoginCode");
    const { token } = await nobody.call("createBrowserToken", { body: { code } });
    const browser = as(token);
    await browser.call("listBoards");
    if (draw.chance(0.5)) await browser.call("signOut");
  }

  /** One in so many leaves, and another comes. */
  async function change(): Promise<void> {
    for (let i = 0; i < size.agents / 50; i++) {
      const at = draw.int(agents.length);
      await agents[at]!.call("leaveAsAgent");
      agents[at] = await newAgent(agents[at]!.owner);
    }
    const params = { board: newName("short") };
    await people[0]!.call("createBoard", { body: { name: params.board } });
    await people[0]!.call("archiveBoard", { params });
    await people[0]!.call("deleteBoard", { params });
  }

  return {
    async work() {
      await inTurns(agents, workOfAgent);
      await inTurns(people, workOfPerson);
      await change();
      leaving.abort();
      leaving = new AbortController();
    },
  };
}

/** A key that no request had before. */
const newKey = () => crypto.randomUUID();
