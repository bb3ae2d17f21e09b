import type { Static } from "@sinclair/typebox";
import { refuse } from "../../contract/refusal.ts";
import type { BrowserSession } from "../../contract/signing-in/browser-sign-in.ts";
import { keyOfPerson, type KeyRow, type PersonRow } from "../../db/accounts.ts";
import {
  endSession,
  insertSession,
  sessionAt,
  sessionsOfPerson,
  type SessionAndKey,
} from "../../db/browser-sessions.ts";
import { keyWithDigest, sessionWithDigest } from "../../db/credentials.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { keyWorks, sessionLasts } from "../access/identify.ts";
import type { Handler, Sender, Tools } from "../handler.ts";
import { newId } from "../ids.ts";
import { personRecord } from "../people/views.ts";
import { RuleAnswer } from "../rule-answer.ts";
import { afterSeconds, browserSessionSeconds } from "../time.ts";
import { codePresented } from "./login-code-operations.ts";

export const startBrowserSession: Handler<"startBrowserSession"> = (
  tx,
  _standing,
  { body },
  tools,
  sender,
) => {
  const confirmed = body.confirm_switch === true;
  if ("token" in body) return adopt(tx, body.token, tools, sender, confirmed);
  if ("key" in body) {
    const found = keyWithDigest(tx, tools.secrets.digest(body.key));
    if (!found || !keyWorks(tx, found.key)) throw refuse("access_key_invalid");
    requireSwitch(tx, found.person.row, sender, confirmed);
    const key = keyOfPerson(tx, found.person.row, found.key.id)!;
    return started(tx, { key, person: found.person }, "access_key", tools);
  }
  const code = codePresented(tx, body.code, tools, body);
  requireSwitch(tx, code.personRow, sender, confirmed);
  return started(tx, code.use(), "login_code", tools);
};

export const createBrowserToken: Handler<"createBrowserToken"> = (
  tx,
  _standing,
  { body },
  tools,
) => {
  const { key } = codePresented(tx, body.code, tools, body).use();
  const { secret, expires_at } = newSession(tx, key, "login_code", tools);
  return { token: secret, expires_at };
};

/** Refuses to replace the working session of another person unless the request confirms it. */
function requireSwitch(
  tx: ReadTx,
  personRow: number,
  { browser }: Sender,
  confirmed: boolean,
): void {
  const held = browser === null ? null : workingSession(tx, browser);
  if (held && held.person.row !== personRow && !confirmed)
    throw refuse("browser_session_switch_unconfirmed", { handle: held.person.handle });
}

function adopt(tx: ReadTx, secret: string, tools: Tools, sender: Sender, confirmed: boolean) {
  const found = workingSession(tx, tools.secrets.digest(secret));
  if (!found) throw refuse("unauthorized");
  requireSwitch(tx, found.person.row, sender, confirmed);
  return signedIn(tx, { secret, ...found.session }, found.person, tools);
}

/** The session with a secret of this digest and its person, if the session and its key work. */
function workingSession(tx: ReadTx, digest: string) {
  const found = sessionWithDigest(tx, digest);
  if (!found?.session || !sessionLasts(tx, found.session) || !keyWorks(tx, found.key)) return null;
  return { session: found.session, person: found.person };
}

function started(
  tx: Tx,
  { key, person }: { key: KeyRow; person: PersonRow },
  with_: SessionAndKey["started_with"],
  tools: Tools,
) {
  return signedIn(tx, newSession(tx, key, with_, tools), person, tools);
}

const signedIn = (
  tx: ReadTx,
  { row, secret, expires_at }: { row: number; secret: string; expires_at: string },
  person: PersonRow,
  tools: Tools,
) => new RuleAnswer(currentRecord(tx, row, person, tools), { session: { secret, expires_at } });

/** Starts a session with a key, of 30 days or until its fixed end. The end of an idle key does not shorten it. */
function newSession(tx: Tx, key: KeyRow, with_: SessionAndKey["started_with"], tools: Tools) {
  const secret = tools.secrets.create("browser");
  const full = afterSeconds(tx.now, browserSessionSeconds);
  const fixedEnd = key.idle_expiry_seconds === null ? key.expires_at : null;
  const session = {
    id: newId(tx, "ses"),
    key_row: key.row,
    started_with: with_,
    created_at: tx.now,
    expires_at: fixedEnd !== null && fixedEnd < full ? fixedEnd : full,
  };
  const row = insertSession(tx, { ...session, digest: tools.secrets.digest(secret) });
  return { secret, row, expires_at: session.expires_at };
}

export const listBrowserSessions: Handler<"listBrowserSessions"> = (tx, { caller }, { query }) => {
  const { person } = caller;
  if (query.key !== undefined && !keyOfPerson(tx, person.row, query.key))
    throw refuse("key_not_found", { key: query.key });
  const sessions = sessionsOfPerson(tx, person.row).filter(
    ({ key_id }) => query.key === undefined || key_id === query.key,
  );
  return { person: personRecord(person), sessions: sessions.map(sessionRecord) };
};

export const endBrowserSession: Handler<"endBrowserSession"> = (tx, { caller }, { params }) => {
  const session = sessionsOfPerson(tx, caller.person.row).find(({ id }) => id === params.session);
  if (!session) throw refuse("browser_session_not_found", { session: params.session });
  endSession(tx, session.row);
  return sessionRecord(session);
};

export const endBrowserTokens: Handler<"endBrowserTokens"> = (tx, { caller }) => {
  const sessions = sessionsOfPerson(tx, caller.person.row);
  for (const { row } of sessions) endSession(tx, row);
  return { ended: sessions.length };
};

export const getBrowserSession: Handler<"getBrowserSession"> = (tx, { caller }, _input, tools) =>
  currentRecord(tx, caller.session!.row, caller.person, tools);

export const signOut: Handler<"signOut"> = (tx, { caller }) => {
  const session = sessionAt(tx, caller.session!.row)!;
  endSession(tx, session.row);
  return new RuleAnswer(sessionRecord(session), { session: null });
};

const sessionRecord = (session: SessionAndKey): Static<typeof BrowserSession> => ({
  id: session.id,
  key: { id: session.key_id, name: session.key_name },
  started_with: session.started_with,
  created_at: session.created_at,
  expires_at: session.expires_at,
});

const currentRecord = (tx: ReadTx, row: number, person: PersonRow, { secrets }: Tools) => {
  const session = sessionAt(tx, row)!;
  return {
    ...sessionRecord(session),
    person: personRecord(person),
    csrf_token: secrets.csrf(session.id),
  };
};
