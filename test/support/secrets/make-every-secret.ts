import type { World } from "../servers/server-in-process.ts";
import type { Planted } from "./find-secrets.ts";
import { ask, type Asking, type Heard } from "../raw-requests.ts";

/** A server that requests can be sent to. */
export type Reachable = Pick<World, "url" | "handle">;

/** An answer, and what it answers. */
export type Said = Heard & { readonly line: string };

/** Sends requests, each with an Idempotency-Key of its own, and keeps what was answered. */
export function speaker(server: Reachable) {
  const heard: Said[] = [];
  /** Sends a request, and again with the same key, as a client does that has lost the answer. */
  async function say(line: string, asking: Asking = {}): Promise<Said> {
    const headers = { "idempotency-key": `request-${heard.length}`, ...asking.headers };
    const answer = { line, ...(await ask(server, line, { ...asking, headers })) };
    heard.push(answer);
    return answer;
  }
  /** The same where it is to succeed: gives what is answered. */
  async function get(line: string, asking: Asking = {}): Promise<any> {
    const { status, text } = await say(line, asking);
    if (status >= 300) throw new Error(`${line} came to ${status} ${text}`);
    return JSON.parse(text);
  }
  return { heard, say, get };
}
export type Speaker = ReturnType<typeof speaker>;

const ownKey = () =>
  `abh_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;
/** A secret's text with its end changed: what somebody types who mistypes it. */
export const mistyped = (text: string) =>
  text.slice(0, -3) + (text.endsWith("222") ? "333" : "222");

/**
 * Makes a secret of every kind through the interface, uses it, and repeats what made it; some are ended, some left
 * unused. Gives all of them. `key` is the first person's, ana's.
 */
export async function makeSecrets(server: Reachable, { say, get }: Speaker, key: string) {
  const planted: Planted[] = [];
  const plant = (what: string, text: string, more: Partial<Planted> = {}) => {
    if (typeof text !== "string" || text.length < 7) throw new Error(`no secret: ${what} ${text}`);
    planted.push({ what, text, ...more });
    return text;
  };
  const kept = { kept: true } as const;
  const inMemory = { inMemory: true } as const;
  const as = (token: string, body?: unknown): Asking => ({
    token,
    ...(body !== undefined && { body }),
  });

  // Boards, and people who come in by invitations.
  const { id: docsId } = await get("POST /v1/boards", as(key, { name: "docs" }));
  await get("POST /v1/boards", as(key, { name: "yard" }));
  const invite = async (what: string) => {
    const made = await get("POST /v1/invites", as(key, { boards: [docsId] }));
    plant(what, made.invite);
    return made as { id: string; invite: string };
  };
  const [first, second] = [await invite("an invitation"), await invite("another invitation")];
  await invite("an invitation that nobody redeems");
  const ended = await invite("an invitation that is revoked");
  await get(`DELETE /v1/invites/${ended.id}`, as(key));
  const newcomer = (handle: string) => ({ handle, key_name: "machine" });
  const came = await get("POST /v1/connect", {
    body: { ...newcomer("bo"), invite: first.invite },
  });
  const bo = plant("the key of who connected", came.key.token);
  const cy = plant("a key that its client made", ownKey());
  const connected = { body: { ...newcomer("cy"), invite: second.invite, client_token: cy } };
  await get("POST /v1/connect", connected);
  await say("POST /v1/connect", connected);
  await get("GET /v1/me/onboarding", as(cy));
  const phone = await get("POST /v1/keys", as(bo, { name: "phone" }));
  plant("a second key", phone.token);

  // Seats, by a board's name and by codes. What gave one is repeated, and kept for that.
  const joining = async (what: string, token: string, body: object, more = {}) => {
    const once = { ...as(token, body), headers: { "idempotency-key": `join ${what}` } };
    const { token: seat } = await get("POST /v1/join", once);
    await say("POST /v1/join", once);
    return plant(what, seat, more);
  };
  const coded = async (what: string, token: string, board: string, body: object) => {
    const made = await get(`POST /v1/boards/${board}/join-codes`, as(token, body));
    return { id: made.id as string, code: plant(what, made.code) };
  };
  const docs = { board: "docs", role: "member" };
  const writer = await joining("a seat by a board's name", bo, docs, kept);
  const pairing = await coded("a pairing code", bo, "docs", { role: "member" });
  await joining("a seat by a pairing code", bo, { code: pairing.code }, kept);
  await coded("a pairing code of an agent", writer, "docs", { role: "member" });
  const guest = { role: "member", guest: "gus" };
  const visit = await coded("a guest code", key, "docs", guest);
  const visitor = await get("POST /v1/guest-join", {
    body: { code: visit.code, key_name: "machine" },
  });
  const gus = plant("a guest's key", visitor.key.token);
  plant("the seat of a guest's agent", visitor.token);
  const bound = await coded("a guest code for a guest", key, "yard", guest);
  await joining("a seat by a guest code", gus, { code: bound.code }, kept);
  await coded("a guest code that nobody redeems", key, "yard", { role: "member", guest: "hal" });
  const dead = await coded("a code that is revoked", key, "yard", { role: "member" });
  await get(`DELETE /v1/boards/yard/join-codes/${dead.id}`, as(key));

  // A machine that acts for bo.
  const delegating = async (what: string) =>
    plant(what, (await get("POST /v1/delegations", as(bo, { name: "laptop" }))).token);
  await delegating("a delegation that another follows");
  const machine = await delegating("a delegation");
  const session = { session: "codex:1", harness: "codex" };
  await joining("a seat by a delegation", machine, { board: "docs", ...session });
  await joining("a seat that is given again", machine, { board: "docs", ...session });
  const board = {
    ...as(machine, { name: "plans", ...session }),
    headers: { "idempotency-key": "b" },
  };
  plant(
    "a seat on a delegated board",
    (await get("POST /v1/delegations/boards", board)).token,
    kept,
  );
  await say("POST /v1/delegations/boards", board);

  // Browsers.
  const origin = server.url;
  const codeFor = async (what: string) =>
    plant(what, (await get("POST /v1/login-codes", as(bo))).code, inMemory);
  const signIn = async (what: string, body: object, cookie = "") => {
    const answer = await say("POST /v1/browser-sessions", {
      body,
      headers: { origin, ...(cookie && { cookie }) },
    });
    const held = answer.headers["set-cookie"]?.split(";")[0] ?? "";
    const current = JSON.parse(answer.text) as { id: string; csrf_token: string };
    plant(`the token for changes of ${what}`, current.csrf_token, inMemory);
    const page = { cookie: held, origin, "x-service-csrf": current.csrf_token };
    return { page, id: current.id, secret: held.slice(held.indexOf("=") + 1) };
  };
  const login = await codeFor("a one-time code");
  await get("POST /v1/login-codes/preview", { body: { code: login }, headers: { origin } });
  const byCode = await signIn("a session by a code", { code: login });
  plant("a session by a code", byCode.secret);
  const byKey = await signIn("a session by a key", { key: bo });
  plant("a session by a key", byKey.secret);
  const exchanged = await get("POST /v1/browser-tokens", {
    body: { code: await codeFor("a one-time code for a token") },
  });
  plant("a browser token", exchanged.token);
  const adopted = await signIn(
    "a session by a token",
    { token: exchanged.token },
    byKey.page.cookie,
  );
  await codeFor("a one-time code that nobody uses");
  await get("POST /v1/boards", { body: { name: "by-page" }, headers: byCode.page });
  await get("GET /v1/me/browser-session", { headers: byCode.page });
  await get("DELETE /v1/me/browser-session", { headers: byKey.page });
  await get(`DELETE /v1/browser-sessions/${adopted.id}`, as(bo));

  // Sessions that are paired: one that goes on, one that another takes the place of, and one that is declined.
  const { members } = await get("GET /v1/boards/docs/members", as(bo));
  const [one, two] = members.filter((each: { owner: string }) => each.owner === "bo");
  const { id: boId } = await get("GET /v1/me", as(bo));
  const asked = async () =>
    get(
      "POST /v1/pairing-requests",
      as(bo, {
        board_id: docsId,
        recipient_id: boId,
        initiating_agent_id: one.id,
        work: "Review",
      }),
    );
  const selecting = async (what: string, request: string, session: string, more = {}) => {
    const client_token = plant(what, ownKey().replace("abh_", "abp_"));
    const body = {
      request_id: request,
      side: "recipient",
      agent_id: two.id,
      generation: 1,
      session_binding: `sha256:${session.repeat(64)}`,
      client_token,
      ...more,
    };
    await get("POST /v1/pairing-credentials", as(bo, body));
    await say("POST /v1/pairing-credentials", as(bo, { ...body, replace: undefined }));
    return client_token;
  };
  const { id: paired } = await asked();
  await selecting("a pairing's credential that another follows", paired, "a");
  const proof = await selecting("a pairing's credential", paired, "b", { replace: true });
  await get(`GET /v1/pairing-requests/${paired}`, as(proof));
  await get(
    `POST /v1/pairing-requests/${paired}/accept`,
    as(proof, { agent_id: two.id, generation: 2 }),
  );
  const { id: declined } = await asked();
  await selecting("the credential of a pairing that is declined", declined, "a");
  await get(`POST /v1/pairing-requests/${declined}/decline`, as(bo));

  // Machines that ask for a key of their own.
  const requesting = async (which: string) => {
    const body = { handle: "bo", label: "box" };
    const { code, secret } = await get("POST /v1/machine-requests", { body });
    plant(`the code of a machine's request ${which}`, code);
    plant(`the secret of a machine's request ${which}`, secret);
    return { code, secret } as { code: string; secret: string };
  };
  const collect = ({ secret }: { secret: string }) =>
    say("POST /v1/machine-requests/collect", { body: { secret } });
  const [approved, refused, waiting] = [
    await requesting("that is approved"),
    await requesting("that is refused"),
    await requesting("that waits"),
  ];
  await get("POST /v1/machine-requests/lookup", as(bo, { code: approved.code }));
  await get("POST /v1/machine-requests/approve", as(bo, { code: approved.code }));
  await get("POST /v1/machine-requests/refuse", as(bo, { code: refused.code }));
  const { key: collected } = JSON.parse((await collect(approved)).text) as {
    key: { token: string };
  };
  plant("a machine's key", collected.token);
  for (const request of [approved, refused, waiting]) await collect(request);

  // Something is said and read, and some of it ends.
  const { id } = await get("POST /v1/boards/docs/messages", as(bo, { body: "hello" }));
  await get(`POST /v1/boards/docs/messages`, as(writer, { body: "hi", reply_to: id }));
  await get("GET /v1/me/inbox", as(writer));
  await get(`DELETE /v1/keys/${phone.id}`, as(bo));
  return { planted, bo, writer, page: byCode.page };
}

/**
 * Sends each secret, and one like it that was mistyped, in every place where it does not belong or does not work, by who
 * may do the rest of the request.
 */
export async function misplace(
  { say }: Speaker,
  { planted, bo, writer, page }: Awaited<ReturnType<typeof makeSecrets>>,
  cookieName: string,
) {
  for (const { text } of planted) {
    const wrong = mistyped(text);
    for (const line of [
      `GET /v1/${text}`,
      `POST /v1/${text}`,
      `GET /v1/boards/${text}`,
      `GET /v1/boards/${text}/people`,
      `POST /v1/boards/${text}/archive`,
      `GET /v1/messages/${text}`,
      `DELETE /v1/keys/${text}`,
      `DELETE /v1/invites/${text}`,
      `DELETE /v1/browser-sessions/${text}`,
      `DELETE /v1/boards/docs/join-codes/${text}`,
      `GET /v1/boards?${text}=1`,
      `GET /v1/boards?all=${text}`,
      `GET /v1/people?handle=${text}`,
    ])
      for (const token of [bo, writer]) await say(line, { token });
    await say(`DELETE /v1/invites/${text}`, { headers: page });

    const bodies: [line: string, body: unknown][] = [
      ["POST /v1/boards/docs/messages", text],
      ["POST /v1/boards/docs/messages", `{"body": "${text}`],
      ["POST /v1/boards/docs/messages", `{"body": ${text}}`],
      ["POST /v1/boards/docs/messages", { body: "x", [text]: 1 }],
      ["POST /v1/boards/docs/messages", { body: "x", reply_to: text }],
      ["PATCH /v1/boards/docs", { task_prefix: text }],
      ["POST /v1/boards/docs/people", { handle: text }],
      ["POST /v1/boards/docs/join-codes", { role: text }],
      ["POST /v1/join", { code: wrong }],
      ["POST /v1/join", { board: text, role: "member" }],
      ["POST /v1/join", { board: "docs", role: text }],
      ["POST /v1/machine-requests/approve", { code: wrong }],
      ["POST /v1/pairing-requests", { board_id: text, recipient_id: text, work: text }],
      [`POST /v1/pairing-requests/${text}/decline`, undefined],
      ["POST /v1/pairing-credentials", { request_id: text, client_token: wrong }],
    ];
    // A short code of digits alone is a name that may be given, and names are no secrets.
    if (!/^[0-9-]+$/.test(text))
      bodies.push(
        ["POST /v1/boards", { name: text }],
        ["POST /v1/boards/docs/join-codes", { role: "member", guest: text }],
        ["POST /v1/people/bo/rename", { handle: text }],
        ["POST /v1/keys", { name: text }],
        ["POST /v1/delegations", { name: text }],
      );
    // What has no prefix looks like any other word: whoever addresses a message to it is told of it.
    if (/^ab[a-z]_/.test(text))
      bodies.push(
        [`DELETE /v1/boards/docs/members/${text}`, undefined],
        [`DELETE /v1/boards/docs/members/${text}/line`, undefined],
        [`DELETE /v1/boards/${text}/members/${text}`, undefined],
        ["POST /v1/boards", { template: text }],
        ["POST /v1/boards/docs/messages", { body: "x", to: [text] }],
        ["POST /v1/boards/docs/messages", { body: "x", to: [`@${text}`] }],
        ["POST /v1/boards/docs/messages", { body: "x", to: ["all", text] }],
      );
    for (const [line, body] of bodies) await say(line, { token: bo, body });

    for (const [line, body] of [
      ["POST /v1/connect", { invite: wrong, handle: "dee", key_name: "box" }],
      ["POST /v1/connect", { invite: "x", handle: text, key_name: "box" }],
      ["POST /v1/connect", { invite: "x", handle: "dee", key_name: "box", client_token: wrong }],
      ["POST /v1/guest-join", { code: wrong, key_name: "box" }],
      ["POST /v1/browser-sessions", { code: wrong }],
      ["POST /v1/browser-sessions", { key: wrong }],
      ["POST /v1/browser-sessions", { token: wrong }],
      ["POST /v1/browser-sessions", { secret: text }],
      ["POST /v1/browser-tokens", { code: wrong }],
      ["POST /v1/login-codes/preview", { code: wrong }],
      ["POST /v1/machine-requests", { handle: text, label: "box" }],
      ["POST /v1/machine-requests", { handle: "bo", label: text }],
      ["POST /v1/machine-requests/collect", { secret: wrong }],
    ] as const)
      await say(line, { body });

    for (const headers of [
      { authorization: `Bearer ${wrong}` },
      { authorization: `Bearer ${text} ${text}` },
      { authorization: `Bearer ${text}.` },
      { authorization: `Basic ${text}` },
      { authorization: text },
      { cookie: `${cookieName}=${wrong}` },
      { cookie: `${cookieName}="${text}"` },
      { cookie: `another=${text}` },
      { ...page, "x-service-csrf": wrong },
      { ...page, origin: `https://${text}.example` },
      { ...page, "content-type": `text/${text}` },
      { ...page, "idempotency-key": text.repeat(20) },
      { "user-agent": text, referer: `https://example.org/?${text}`, "x-forwarded-host": text },
    ])
      await say("POST /v1/boards", { body: { name: "no" }, headers });
  }
}
