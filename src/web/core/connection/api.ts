import { createClient } from "../../../client/client.ts";

/** The token that each change sends, as the server gave it with the session. Null while nobody is signed in. */
let csrf: string | null = null;

/** Sets the token that each change sends. */
export function useCsrf(token: string | null): void {
  csrf = token;
}

/** The token that each change sends, for requests that `api` cannot make. */
export const csrfToken = (): string | null => csrf;

let refused = () => {};

/** Calls the listener whenever the server refuses the session of this page. */
export function onRefused(listener: () => void): void {
  refused = listener;
}

const clientWith = (options: RequestInit) =>
  createClient({
    baseUrl: location.origin,
    async fetch(request) {
      if (csrf && request.method !== "GET") request.headers.set("x-service-csrf", csrf);
      const isSignedIn = csrf !== null;
      const answer = await fetch(request, options);
      // A wrong key or code is refused in the same way, and says nothing about the session.
      if (answer.status === 401 && isSignedIn && !request.url.endsWith("/v1/browser-sessions"))
        refused();
      return answer;
    },
  });

/** The server that this page came from. The browser adds its cookie, and nothing else says who asks. */
export const api = clientWith({});

/** The same server, for what is still to be said while the page is left. */
export const lastWords = clientWith({ keepalive: true });

export { ApiError, Unreachable } from "../../../client/errors.ts";
