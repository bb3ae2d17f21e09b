import { expect, test } from "bun:test";
import {
  delegationWithDigest,
  keyWithDigest,
  pairingWithDigest,
  seatWithDigest,
  sessionWithDigest,
} from "../../src/db/credentials.ts";
import type { ReadTx } from "../../src/db/engine/database.ts";
import { inviteWithDigest } from "../../src/db/invites.ts";
import { joinCodeWithDigest } from "../../src/db/join-codes.ts";
import { openRequestWithSecret, undecidedRequestWithCode } from "../../src/db/machine-requests.ts";
import { startWorld, type World } from "../support/servers/server-in-process.ts";
import { docs, makeDocs } from "../support/boards/docs-board.ts";
import { select } from "../support/boards/board-with-pairing.ts";

/** Every way from what is presented to what it stands for, with the index that it takes. */
const lookUps = {
  keyWithDigest,
  seatWithDigest,
  sessionWithDigest,
  delegationWithDigest,
  pairingWithDigest,
  inviteWithDigest,
  joinCodeWithDigest,
  undecidedRequestWithCode,
  openRequestWithSecret,
};
type LookUp = keyof typeof lookUps;
const indexes: Record<LookUp, string> = {
  keyWithDigest: "access_key USING INDEX sqlite_autoindex_access_key_2 (digest=?)",
  seatWithDigest: "t USING INDEX sqlite_autoindex_seat_token_1 (digest=?)",
  sessionWithDigest: "t USING INDEX sqlite_autoindex_browser_session_2 (digest=?)",
  delegationWithDigest: "t USING INDEX sqlite_autoindex_delegation_2 (digest=?)",
  pairingWithDigest: "t USING INDEX sqlite_autoindex_pairing_credential_2 (digest=?)",
  inviteWithDigest: "invite USING INDEX sqlite_autoindex_invite_2 (digest=?)",
  joinCodeWithDigest: "join_code_digest USING PRIMARY KEY (digest=?)",
  undecidedRequestWithCode: "machine_request USING INDEX machine_request_with_code (code_digest=?)",
  openRequestWithSecret:
    "machine_request USING INDEX sqlite_autoindex_machine_request_2 (secret_digest=?)",
};

/** A server with one secret of each kind. */
async function start() {
  const world = await startWorld();
  const { admin: ana } = world;
  const board = await makeDocs(world);
  const seat = await world.seat(ana, "docs");
  const browser = await world
    .as()
    .call("createBrowserToken", { body: { code: (await ana.call("createLoginCode")).code } });
  const delegation = await ana.call("createDelegation", { body: { name: "laptop" } });
  const { invite } = await ana.call("createServerInvite");
  const { code } = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
  const request = await world
    .as()
    .call("startMachineRequest", { body: { handle: "ana", label: "box" } });
  const { id: recipient_id } = await ana.call("getMe");
  const { id } = await ana.call("createPairingRequest", {
    body: { board_id: board.id, recipient_id, initiating_agent_id: seat.id, work: "Review" },
  });
  const pairing = await select(world, ana, id, "initiator", seat.id);
  const secrets: Record<LookUp, string> = {
    keyWithDigest: ana.token,
    seatWithDigest: seat.token,
    sessionWithDigest: browser.token,
    delegationWithDigest: delegation.token,
    pairingWithDigest: pairing.token,
    inviteWithDigest: invite,
    joinCodeWithDigest: code,
    undecidedRequestWithCode: request.code,
    openRequestWithSecret: request.secret,
  };
  return { world, secrets };
}

interface Statement {
  readonly text: string;
  readonly values: never[];
}

/** What a look-up finds, and the statements that it makes with their values; nothing that was read before is taken. */
function watch({ db }: World, name: LookUp, digest: string) {
  const statements: Statement[] = [];
  const found = db.read((tx) => {
    const watched: ReadTx = {
      ...tx,
      rowCache: { version: 0, get: (_kind, _key, read) => read() },
      get(text, ...values) {
        statements.push({ text, values: values as never[] });
        return tx.get(text, ...values);
      },
      all() {
        throw new Error("a look-up finds one row");
      },
    };
    return lookUps[name](watched, digest);
  });
  return { found, statements };
}

test.each(Object.keys(lookUps) as LookUp[])(
  "%s is one equality on an indexed digest",
  async (name) => {
    const { world, secrets } = await start();
    const digest = world.secrets.digest(secrets[name]);
    const { found, statements } = watch(world, name, digest);
    expect(found).not.toBeNull();
    const [{ text, values }, ...others] = statements as [Statement, ...Statement[]];
    // Whose the secret is, is read by its row, where it is cached for all.
    expect(others.every((other) => / WHERE (?:m\.)?row = \?$/.test(other.text))).toBe(true);
    expect(
      text.match(/\w*digest \S+ \S+/g)?.filter((part) => !/\bON\b|\bJOIN\b/.test(part)),
    ).toEqual([expect.stringMatching(/^\w*digest = \?$/)]);
    const plan = world.db
      .read((tx) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values))
      .map(({ detail }) => detail);
    expect(plan[0]).toBe(`SEARCH ${indexes[name]}`);
    for (const step of plan.slice(1))
      expect(step).toMatch(/^SEARCH \w+ USING .+ \((?:rowid|id)=\?\)$/);

    // A wrong one costs the same and finds nothing; the secret itself is no digest, nor is a part of one.
    for (const wrong of [
      world.secrets.digest("wrong"),
      secrets[name],
      digest.slice(0, 63),
      `${digest}0`,
    ])
      expect(watch(world, name, wrong)).toMatchObject({ found: null, statements: [{ text }] });
  },
);

test("there is no other look-up by a digest, and no table has a column for a secret as it is", async () => {
  const root = new URL("../../src/db/", import.meta.url).pathname;
  const conditions = [];
  for (const path of [...new Bun.Glob("**/*.ts").scanSync(root)].sort())
    for (const [, condition] of (await Bun.file(root + path).text()).matchAll(
      /WHERE (?:\w\.)?(\w*digest\b[^"`]{0,5})/g,
    ))
      conditions.push(`${path}: ${condition!.slice(0, condition!.indexOf("?") + 1)}`);
  expect(conditions).toEqual([
    "credentials.ts: digest = ?",
    "credentials.ts: digest = ?",
    "credentials.ts: digest = ?",
    "invites.ts: digest = ?",
    "join-codes.ts: digest = ?",
    "machine-requests.ts: code_digest = ?",
    "machine-requests.ts: secret_digest = ?",
  ]);

  const { world } = await start();
  const columns = world.db.read((tx) =>
    tx.all<{ name: string }>(
      "SELECT t.name || '.' || c.name AS name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY 1",
    ),
  );
  const telling = columns
    .map(({ name }) => name)
    .filter((name) => /token|secret|code|invite|key|digest|hash|credential|cookie/.test(name));
  expect(
    telling.filter(
      (name) =>
        !/^(?:access_key|invite|join_code|pairing_credential|seat_token)\.|_row$/.test(name),
    ),
  ).toEqual([
    "browser_session.digest",
    "delegation.digest",
    "delivery_queue.digest",
    "event.data_hash",
    "event.hash",
    "join_code_digest.digest",
    "join_code_digest.join_code_id",
    "kept_answer.credential",
    "kept_answer.idempotency_key",
    "kept_answer.request_hash",
    "machine_request.code_digest",
    "machine_request.secret_digest",
    "pairing_request.invite_id",
  ]);
  const named = (table: string) =>
    telling.filter((name) => name.startsWith(`${table}.`)).map((name) => name.split(".")[1]);
  expect(named("access_key")).toEqual([
    "created_at",
    "digest",
    "expires_at",
    "id",
    "idle_expiry_seconds",
    "last_used_at",
    "name",
    "person_row",
    "revoked_at",
    "row",
  ]);
  expect(named("seat_token")).toEqual(["digest", "key_row", "member_row", "session"]);
  expect(named("pairing_credential")).toEqual([
    "created_at",
    "digest",
    "ended_at",
    "expires_at",
    "generation",
    "id",
    "key_row",
    "member_row",
    "request_row",
    "row",
    "session_binding",
    "side",
  ]);
  expect(named("invite")).toEqual([
    "boards",
    "created_at",
    "digest",
    "expires_at",
    "id",
    "person_row",
    "redeemed_at",
    "redeemed_handle",
    "redeemed_key_row",
    "revoked_at",
  ]);
  expect(named("join_code")).toEqual([
    "board_row",
    "created_at",
    "expires_at",
    "guest",
    "guest_row",
    "id",
    "maker_row",
    "revoked_at",
    "role",
    "used_at",
    "uses",
  ]);
});
