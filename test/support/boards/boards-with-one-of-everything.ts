import { operationNamed, type OperationName } from "../../../src/contract/index.ts";
import { retainedBoardWithId } from "../../../src/db/boards.ts";
import { startWorld } from "../servers/server-in-process.ts";
import { wholeOf } from "../../server/operations.ts";
import { newProof, select } from "./board-with-pairing.ts";
import { ask, type Asking } from "../raw-requests.ts";

/** What an operation's sample request is about. */
export interface Place {
  readonly board: string;
  readonly boardId: string;
  /** Ana's id. */
  readonly ana: string;
  readonly message: string;
  readonly seq: number;
  readonly code: string;
  readonly agent: string;
  readonly agentId: string;
  readonly invite: string;
  /** A guest code for somebody new. */
  readonly guest: string;
  readonly inviteId: string;
  readonly key: string;
  /** One-time codes, each for one exchange. */
  readonly loginCodes: readonly [string, string, string];
  /** A browser session of ana's. */
  readonly session: string;
  /** Codes of machines' requests, each for the decision that it is named after. */
  readonly requests: { readonly lookup: string; readonly approve: string; readonly refuse: string };
  /** Secret of a machine's request that is approved. */
  readonly collect: string;
  /** Numbers of tasks: one that nobody owns, and two of the agent's, to be closed and to be given up. */
  readonly tasks: { readonly open: string; readonly done: string; readonly dropped: string };
  /** Names of files: one with a version, and one to be removed. */
  readonly files: { readonly kept: string; readonly removed: string };
  /** Pairing requests of ana's to herself, for what they are named after, and a secret for a session. */
  readonly pairings: {
    readonly shown: string;
    readonly declined: string;
    readonly cancelled: string;
    readonly proof: string;
  };
  /** What `pair` fills in: a request that a session of bo's is to accept, and what it then tells of. */
  readonly paired: { request: string; agent: string; ping: number; reply: number };
  /** Where the board's log ends now. */
  head(): { seq: number; hash: string };
  /** Item of ana's list of what needs her: that bo mentions her. On docs alone. */
  readonly attention: { mention: string };
}

/** Method and path of a sample, as `ask` takes them, with further query parameters if given. */
export function lineOf(name: OperationName, at: Place, more = ""): string {
  const { method, path } = operationNamed(name);
  const { params = {}, query = {} } = wholeOf(name, at);
  const filled = path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  );
  const search = [new URLSearchParams(query).toString(), more].filter(Boolean).join("&");
  return `${method} ${filled}${search && `?${search}`}`;
}

/**
 * A server with an open board `docs`, a private board `secret` and an open board `plaza`, all ana's. On docs are also bo
 * and cleo, and the agents writer (ana's) and scout (bo's); on plaza ana's agent herald. Cy and dee are on no board.
 */
export async function setScene() {
  const world = await startWorld();
  const { admin: ana } = world;
  const [bo, cy, dee, cleo] = [
    await world.person("bo"),
    await world.person("cy"),
    await world.person("dee"),
    await world.person("cleo"),
  ];
  const [docs, writer] = await place("docs", "open", "writer");
  const [secret] = await place("secret", "private", "keeper");
  const [, herald] = await place("plaza", "open", "herald");
  for (const handle of ["bo", "cleo"])
    await ana.call("addPerson", { params: { board: "docs" }, body: { handle } });
  const { id: mention } = await bo.call("postMessage", {
    params: { board: "docs" },
    body: { body: "Look, @ana" },
  });
  docs.attention.mention = `mention.${mention}`;
  const { token: browser } = await world
    .as()
    .call("createBrowserToken", { body: { code: (await ana.call("createLoginCode")).code } });
  const { token: machine } = await ana.call("createDelegation", { body: { name: "machine" } });
  const scout = await world.seat(bo, "docs", { name: "scout", session: "codex:2" });

  async function place(board: string, visibility: "open" | "private", agent: string) {
    const { id } = await ana.call("createBoard", { body: { name: board, visibility } });
    const seat = await world.seat(ana, board, { name: agent, session: "claude-code:1" });
    const params = { board };
    const message = await ana.call("postMessage", { params, body: { body: "first" } });
    const code = await seat.call("createJoinCode", { params, body: { role: "member" } });
    const { id: inviteId, invite } = await ana.call("createServerInvite");
    const guest = await ana.call("createJoinCode", {
      params,
      body: { role: "member", guest: `guest-of-${board}` },
    });
    const key = await ana.call("createKey", { body: { name: `for-${board}` } });
    const loginCode = async () => (await ana.call("createLoginCode")).code;
    const session = await world.as().call("startBrowserSession", { body: { key: ana.token } });
    await ana.call("createTask", { params, body: { title: "Open" } });
    for (const title of ["To be closed", "To be given up"])
      await seat.call("createTask", { params, body: { title, start: true } });
    const files = { kept: "notes/plan.md", removed: "old.txt" };
    for (const name of Object.values(files))
      await ana.upload({ params, query: { name } }, new Blob(["Plan"]));
    const requests = [];
    for (const label of ["one", "two", "three", "four"])
      requests.push(
        await world.as().call("startMachineRequest", { body: { handle: "ana", label } }),
      );
    const [lookup, approve, refuse, collect] = requests;
    await ana.call("approveMachineRequest", { body: { code: collect!.code } });
    const { id: anaId } = await ana.call("getMe");
    const asking = { board_id: id, recipient_id: anaId, initiating_agent_id: seat.id };
    const pairing = async () =>
      (await ana.call("createPairingRequest", { body: { ...asking, work: "Review" } })).id;
    const at: Place = {
      board,
      boardId: id,
      ana: anaId,
      agentId: seat.id,
      pairings: {
        shown: await pairing(),
        declined: await pairing(),
        cancelled: await pairing(),
        proof: newProof(),
      },
      paired: unpaired(),
      head: () => {
        const { head_seq: seq, head_hash } = world.db.read((tx) => retainedBoardWithId(tx, id))!;
        return { seq, hash: `sha256:${head_hash}` };
      },
      attention: { mention: "mention.nothing" },
      message: message.id,
      seq: message.seq,
      code: code.id,
      agent,
      invite,
      guest: guest.code,
      inviteId,
      key: key.id,
      loginCodes: [await loginCode(), await loginCode(), await loginCode()],
      session: session.id,
      requests: { lookup: lookup!.code, approve: approve!.code, refuse: refuse!.code },
      collect: collect!.secret,
      tasks: { open: "1", done: "2", dropped: "3" },
      files,
    };
    return [at, seat.token] as const;
  }

  /** Brings a pairing of ana's writer and bo's scout to where bo's session is to accept; gives its credential. */
  async function pair(): Promise<string> {
    const of = { board_id: docs.boardId, initiating_agent_id: docs.agentId, work: "Review" };
    const { id } = await ana.call("createPairingRequest", { body: { ...of, recipient_id: bo.id } });
    await select(world, ana, id, "initiator", docs.agentId);
    const { token } = await select(world, bo, id, "recipient", scout.id);
    const say = (client: typeof scout, body: { to: string[]; reply_to?: string }) =>
      client.call("postMessage", { params: { board: "docs" }, body: { body: "hello", ...body } });
    const ping = await say(scout, { to: ["@writer"] });
    const answering = { ...scout, ...world.as(writer) };
    const reply = await say(answering, { to: ["@scout"], reply_to: ping.id });
    Object.assign(docs.paired, { request: id, agent: scout.id, ping: ping.seq, reply: reply.seq });
    return token;
  }

  return {
    world,
    pair,
    ana,
    bo,
    cy,
    dee,
    cleo,
    scout,
    docs,
    secret,
    /** Tokens of the agents of these names. */
    writer,
    herald,
    /** A browser token of ana's. */
    browser,
    /** Token of a delegation of ana's. */
    machine,
    /** Sends an operation's sample request, or one made from it. */
    sample(name: OperationName, at: Place, { more, ...asking }: Asking & { more?: string } = {}) {
      const { body } = wholeOf(name, at);
      return ask(world, lineOf(name, at, more), { ...(body && { body }), ...asking });
    },
  };
}
export type Scene = Awaited<ReturnType<typeof setScene>>;

const unpaired = () => ({
  request: `prq_${"0".repeat(26)}`,
  agent: `mem_${"0".repeat(26)}`,
  ping: 1,
  reply: 2,
});

/** What exists nowhere. */
export const nowhere: Place = {
  board: "nowhere",
  boardId: `brd_${"0".repeat(26)}`,
  message: `msg_${"0".repeat(26)}`,
  seq: 1,
  code: `jc_${"0".repeat(26)}`,
  agent: "nobody",
  ana: `hum_${"0".repeat(26)}`,
  agentId: `mem_${"0".repeat(26)}`,
  pairings: {
    shown: `prq_${"0".repeat(26)}`,
    declined: `prq_${"0".repeat(26)}`,
    cancelled: `prq_${"0".repeat(26)}`,
    proof: `abp_${"0".repeat(43)}`,
  },
  paired: unpaired(),
  head: () => ({ seq: 1, hash: `sha256:${"0".repeat(64)}` }),
  attention: { mention: "mention.nothing" },
  invite: "",
  guest: "",
  inviteId: `inv_${"0".repeat(26)}`,
  key: "",
  loginCodes: ["", "", ""],
  session: "",
  requests: { lookup: "", approve: "", refuse: "" },
  collect: "",
  tasks: { open: "1", done: "1", dropped: "1" },
  files: { kept: "nothing", removed: "nothing" },
};
