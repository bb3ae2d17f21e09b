import { secretPattern } from "../credentials.ts";
import { Person } from "../people.ts";
import { closed, oneOf, record, t, text } from "../schema.ts";
import { callers, operation } from "../operation.ts";
import { KeyId, KeyName, SessionId, Timestamp } from "../scalars.ts";

/** A secret as it was typed or pasted. Its form is not checked, so the refusal of a wrong one says only that it does not work. */
const Secret = text({ minLength: 1, maxLength: 200 });
const StartingKey = record({ id: KeyId, name: KeyName });

export const BrowserSession = record({
  id: SessionId,
  key: StartingKey,
  started_with: oneOf("login_code", "access_key"),
  created_at: Timestamp,
  expires_at: Timestamp,
});
const CurrentBrowserSession = record({
  ...BrowserSession.properties,
  person: Person,
  csrf_token: t.String(),
});

export const createLoginCode = operation({
  method: "POST",
  path: "/v1/login-codes",
  tag: "sign-in",
  summary: "Make a one-time code that signs a browser in",
  description:
    "It works once, for 60 seconds. The session that it starts belongs to the key that asked for the code. Codes are in the server's memory alone: a restart voids them.",
  success: 201,
  access: "caller",
  callers: callers.keyHolders,
  guests: true,
  replay: "secret",
  response: record({ code: text({ pattern: secretPattern("loginCode") }), expires_at: Timestamp }),
  errors: [],
});

export const previewLoginCode = operation({
  method: "POST",
  path: "/v1/login-codes/preview",
  tag: "sign-in",
  summary: "Read whom a one-time code signs in, without using it up",
  description: "A page shows the person and waits for a confirmation before it signs them in.",
  access: "anyone",
  callers: callers.anyone,
  ownOrigin: true,
  limit: "sign-in",
  replay: "secret",
  body: closed({ code: Secret }),
  response: record({ person: Person, key: StartingKey, expires_at: Timestamp }),
  errors: ["login_code_invalid"],
});

export const startBrowserSession = operation({
  method: "POST",
  path: "/v1/browser-sessions",
  tag: "sign-in",
  summary: "Sign a browser in with a one-time code, a pasted access key or a browser token",
  description:
    "The session's secret travels in the cookie alone. It lasts 30 days, or until its key's fixed end if that is sooner, and stops with its key. While the cookie still holds another person's session, `confirm_switch` must be true; its refusal does not use up the code, any other refusal does.",
  success: 201,
  access: "anyone",
  callers: callers.anyone,
  ownOrigin: true,
  limit: "sign-in",
  replay: "secret",
  body: t.Union([
    closed({ code: Secret, confirm_switch: t.Optional(t.Boolean()) }),
    closed({ key: Secret, confirm_switch: t.Optional(t.Boolean()) }),
    closed({ token: Secret, confirm_switch: t.Optional(t.Boolean()) }),
  ]),
  response: CurrentBrowserSession,
  errors: [
    "login_code_invalid",
    "access_key_invalid",
    "unauthorized",
    "browser_session_switch_unconfirmed",
  ],
});

export const listBrowserSessions = operation({
  method: "GET",
  path: "/v1/browser-sessions",
  tag: "sign-in",
  summary: "List the browsers where the caller is signed in, newest first",
  access: "caller",
  callers: callers.keyHolders,
  query: closed({ key: t.Optional(KeyId) }),
  response: record({ person: Person, sessions: t.Array(BrowserSession) }),
  errors: ["key_not_found"],
});

export const endBrowserSession = operation({
  method: "DELETE",
  path: "/v1/browser-sessions/:session",
  tag: "sign-in",
  summary: "Sign one browser of the caller's out",
  description: "Its next request is refused and its stream ends within a second.",
  access: "caller",
  callers: callers.keyHolders,
  replay: "kept",
  params: t.Object({ session: SessionId }),
  response: BrowserSession,
  errors: ["browser_session_not_found"],
});

export const getBrowserSession = operation({
  method: "GET",
  path: "/v1/me/browser-session",
  tag: "sign-in",
  summary: "Read the browser's own session, with the token that each change must send",
  access: "caller",
  callers: callers.browsers,
  guests: true,
  response: CurrentBrowserSession,
  errors: [],
});

export const signOut = operation({
  method: "DELETE",
  path: "/v1/me/browser-session",
  tag: "sign-in",
  summary: "Sign this browser out",
  access: "caller",
  callers: callers.browsers,
  guests: true,
  replay: "kept",
  response: BrowserSession,
  errors: [],
});

export const createBrowserToken = operation({
  method: "POST",
  path: "/v1/browser-tokens",
  tag: "sign-in",
  summary: "Exchange a one-time code for a browser token (deprecated: start a browser session)",
  description:
    "The token is an ordinary browser session that is sent as `Authorization: Bearer`. The code is used up even if the exchange fails.",
  success: 201,
  access: "anyone",
  callers: callers.anyone,
  limit: "sign-in",
  replay: "secret",
  body: closed({ code: Secret }),
  response: record({
    token: text({ pattern: secretPattern("browser") }),
    expires_at: Timestamp,
  }),
  errors: ["login_code_invalid"],
});

export const endBrowserTokens = operation({
  method: "DELETE",
  path: "/v1/browser-tokens",
  tag: "sign-in",
  summary: "Sign the caller out of every browser",
  access: "caller",
  callers: callers.keyHolders,
  replay: "kept",
  response: record({ ended: t.Integer({ minimum: 0 }) }),
  errors: [],
});
