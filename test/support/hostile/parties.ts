import { ask, type Asking } from "../raw-requests.ts";
import { publicUrl, type Measured } from "./measured-server.ts";

/** Who sends a request: the lines of a head that say so. */
export interface Party {
  readonly kind: string;
  readonly lines: readonly string[];
}

/** What requests may name, and who may send them. */
export interface Scene {
  /** Those who came last, and before them those whose credentials have ended in one way or another. */
  readonly parties: Party[];
  /** Ids that answers had, by their prefix; the newest. */
  readonly ids: Map<string, string[]>;
  /** Names, codes and secrets, by the form that a schema asks for. */
  readonly words: Record<Word, string[]>;
  /** All secrets there ever were. */
  readonly secrets: { readonly what: string; readonly text: string }[];
}
export type Word =
  "board" | "handle" | "member" | "code" | "file" | "task" | "role" | "item" | "secret";

/** An empty scene. */
export const newScene = (): Scene => ({
  parties: [],
  ids: new Map(),
  words: {
    board: [],
    handle: [],
    member: [],
    code: [],
    file: [],
    task: [],
    role: [],
    item: [],
    secret: [],
  },
  secrets: [],
});

/** How many ids of a kind, names and parties are kept. */
const kept = { ids: 40, words: 24, parties: 80 };
/** Adds to a list that keeps the newest. */
function keep<T>(list: T[], most: number, ...more: T[]): void {
  list.push(...more);
  list.splice(0, list.length - most);
}

/** Keeps the ids in an answer, so that later requests name them. */
export function learnIds({ ids }: Scene, text: string): void {
  for (const [id, prefix] of text.matchAll(/\b([a-z]{2,3})_[0-9A-HJKMNP-TV-Z]{26}\b/g))
    keep(ids.get(prefix!) ?? ids.set(prefix!, []).get(prefix!)!, kept.ids, id);
}

const bearer = (token: string) => `Authorization: Bearer ${token}`;

/**
 * Brings people, agents, a guest, browsers, a machine and a pairing onto new boards, and ends some of their credentials.
 * Those of two rounds before are removed, so that the server does not grow. `round` numbers the names.
 */
export async function bringParties(server: Measured, scene: Scene, round: number): Promise<void> {
  // The server may close an idle connection at the moment in which a request comes.
  const handle = (request: Request) => server.handle(request, { keepalive: false });
  const reached = { url: publicUrl, handle };
  const get = async (line: string, asking: Asking = {}): Promise<any> => {
    const { status, text, headers } = await ask(reached, line, asking);
    if (status >= 300) throw new Error(`round ${round}: ${line} came to ${status} ${text}`);
    learnIds(scene, text);
    return { ...JSON.parse(text), cookie: headers["set-cookie"]?.split(";")[0] };
  };
  const as = (token: string, body?: unknown): Asking => ({
    token,
    ...(body !== undefined && { body }),
  });
  const word = (kind: Word, ...texts: string[]) => keep(scene.words[kind], kept.words, ...texts);
  const secret = (what: string, text: string) => {
    scene.secrets.push({ what: `${what} of round ${round}`, text });
    word("secret", text);
    return text;
  };
  const party = (kind: string, ...lines: string[]) =>
    keep(scene.parties, kept.parties, { kind, lines });
  const withToken = (what: string, token: string) => {
    party(what, bearer(secret(what, token)));
    return token;
  };
  const { key } = server;
  const named = (name: string) => `${name}-${round}`;
  const [docs, yard, plain] = [named("docs"), named("yard"), named("plain")];

  await get("PATCH /v1/settings", as(key, { board_creation: "members" }));
  for (const who of round > 2 ? ["bo", "cy", "dee"] : []) {
    const gone = `${who}-${round - 2}`;
    // A request may have removed or renamed them.
    await ask(reached, `DELETE /v1/people/${gone}`, { token: key });
  }
  const invited = async (handle: string) => {
    const { invite } = await get("POST /v1/invites", as(key, {}));
    const body = { invite: secret("an invitation", invite), handle, key_name: "machine" };
    const came = await get("POST /v1/connect", { body });
    word("handle", handle);
    return withToken("a person", came.key.token);
  };
  const bo = await invited(named("bo"));
  const cy = await invited(named("cy"));
  const dee = await invited(named("dee"));
  await get(`PATCH /v1/people/${named("dee")}`, as(key, { server_role: "admin" }));
  party("a server admin", bearer(dee));
  const { id: docsId } = await get("POST /v1/boards", as(bo, { name: docs }));
  await get("POST /v1/boards", as(cy, { name: yard, visibility: "private" }));
  await get("POST /v1/boards", as(bo, { name: plain }));
  word("board", yard, plain, docs, docs, docs);
  // Of boards that are named alike, no more than 999 get a prefix by themselves.
  await get(`PATCH /v1/boards/${docs}`, as(bo, { task_prefix: `D${round}` }));
  word("role", "member", "reviewer");
  await get(`POST /v1/boards/${docs}/people`, as(bo, { handle: named("cy") }));

  const seat = async (owner: string, board: string, name: string) => {
    const body = { board, role: "member", name, session: `codex:${name}` };
    const { agent, token } = await get("POST /v1/join", as(owner, body));
    word("member", name);
    return { id: agent.id as string, token: withToken("an agent", token) };
  };
  const writer = await seat(bo, docs, "writer");
  const scout = await seat(cy, docs, "scout");
  await seat(cy, yard, "keeper");
  const lost = await seat(bo, docs, "lost");
  await get("POST /v1/me/leave", as(lost.token, {}));

  const guest = { role: "member", guest: named("gus") };
  const code = await get(`POST /v1/boards/${docs}/join-codes`, as(bo, guest));
  const visit = await get("POST /v1/guest-join", {
    body: { code: secret("a guest code", code.code), key_name: "machine" },
  });
  withToken("a guest", visit.key.token);
  withToken("a guest's agent", visit.token);
  for (const role of [{ role: "member" }, { role: "member", guest: named("hal") }]) {
    const open = await get(`POST /v1/boards/${docs}/join-codes`, as(bo, role));
    word("code", secret("a join code", open.code));
  }

  const phone = await get("POST /v1/keys", as(bo, { name: "phone" }));
  withToken("a revoked key", phone.token);
  await get(`DELETE /v1/keys/${phone.id}`, as(bo));
  const short = await get("POST /v1/keys", as(bo, { name: "short", ttl_seconds: 3600 }));
  withToken("a key that ends in an hour", short.token);
  withToken(
    "a delegation that was replaced",
    (await get("POST /v1/delegations", as(bo, { name: "box" }))).token,
  );
  withToken("a delegation", (await get("POST /v1/delegations", as(bo, { name: "box" }))).token);

  const session = await get("POST /v1/browser-sessions", {
    body: { key: cy },
    headers: { origin: publicUrl },
  });
  const cookie = `Cookie: ${session.cookie}`;
  secret("a browser session", session.cookie.split("=")[1]);
  party("a browser", cookie, `Origin: ${publicUrl}`, `X-Service-Csrf: ${session.csrf_token}`);
  party("a page of another site", cookie, "Origin: https://evil.example");
  const login = await get("POST /v1/login-codes", as(bo));
  const page = await get("POST /v1/browser-tokens", { body: { code: login.code } });
  withToken("a browser token", page.token);
  word("code", secret("a one-time code", (await get("POST /v1/login-codes", as(bo))).code));
  const asking = { handle: named("bo"), label: "box" };
  const { invite: open } = await get("POST /v1/invites", as(key, {}));
  word("code", secret("an open invitation", open));
  const request = await get("POST /v1/machine-requests", { body: asking });
  word("code", secret("a machine's code", request.code));
  word("code", secret("a machine's secret", request.secret));

  const { id: cyId } = await get("GET /v1/me", as(cy));
  const pairing = await get(
    "POST /v1/pairing-requests",
    as(bo, {
      board_id: docsId,
      recipient_id: cyId,
      initiating_agent_id: writer.id,
      work: "Review",
    }),
  );
  const proof = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const selected = {
    request_id: pairing.id,
    side: "recipient",
    agent_id: scout.id,
    generation: 1,
    client_token: `abp_${proof}`,
    session_binding: `sha256:${"a".repeat(64)}`,
  };
  await get("POST /v1/pairing-credentials", as(cy, selected));
  withToken("a session that is paired", selected.client_token);

  const body = `hello @writer @${named("cy")}`;
  const message = await get(`POST /v1/boards/${docs}/messages`, as(bo, { body }));
  word("item", `mention.${message.id}`);
  await get(`POST /v1/boards/${docs}/tasks`, as(bo, { title: "A task" }));
  word("task", "1", "2", "999");
  const bytes = { "content-type": "application/octet-stream" };
  const upload = { token: bo, body: "A plan", headers: bytes };
  await get(`POST /v1/boards/${docs}/files?name=plan.md`, upload);
  word("file", "plan.md", "notes/other.md");
  party("nobody");
  party("a forged key", bearer(`abh_${"x".repeat(43)}`));
}
