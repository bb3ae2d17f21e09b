import type { OfferedProgram } from "../downloads/programs.ts";
import type { ServerParts } from "./server-parts.ts";
import { pageAddress, pageNames } from "./page-names.ts";

type Page = () => Promise<string>;

/** The pages for people, by address. Each is made at its first request, so that a server starts without them. */
export function pagesOf({ tools: { server }, programs }: Described): (readonly [string, Page])[] {
  const withPrograms = (make: (offered: readonly OfferedProgram[]) => Promise<string>): Page => {
    let made:
      { readonly of: readonly OfferedProgram[]; readonly page: Promise<string> } | undefined;
    return async () => {
      const offered = (await programs?.offered()) ?? none;
      if (made?.of !== offered) made = { of: offered, page: make(offered) };
      return made.page;
    };
  };
  const pages: (readonly [string, Page])[] = [
    ["/docs", async () => (await import("./documents/reference-index.ts")).referenceIndex(server)],
  ];
  for (const page of pageNames)
    pages.push([
      pageAddress(page),
      async () => (await import("./documents/reference-page.ts")).referencePage(page),
    ]);
  return [
    [
      "/start",
      withPrograms(async (offered) =>
        (await import("./documents/plain-pages.ts")).startPage(server, offered),
      ),
    ],
    [
      "/start/invitation",
      withPrograms(async (offered) =>
        (await import("./documents/invitation-page.ts")).joinPage(server, offered),
      ),
    ],
    ...pages.map(([address, make]) => [address, once(make)] as const),
  ];
}

type Described = Pick<ServerParts, "tools" | "programs">;
const none: readonly OfferedProgram[] = [];

/** Makes what is asked for at the first call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** A page as an answer. It loads nothing, sends nothing, and stands in no other page. */
export const asPage = (text: string): Response => new Response(text, { headers: pageHeaders });

/** Whether a request for nothing that exists is a person's, whose browser wants a page. */
export function wantsPage({ method, headers }: Request, path: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (path.startsWith("/v1/") || path === "/v1" || path === "/mcp" || path.startsWith("/mcp/"))
    return false;
  return (headers.get("accept") ?? "").split(",").some(isHtml);
}

const isHtml = (range: string): boolean =>
  /^\s*text\/html\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range);

/** The answer for a browser where there is no page. What a program gets there depends on its `Accept` too. */
export async function missingPage(): Promise<Response> {
  const { missingPage: page } = await import("./documents/plain-pages.ts");
  return new Response(page(), { status: 404, headers: { ...pageHeaders, ...variesByAccept } });
}

const variesByAccept = { "cache-control": "no-store", vary: "accept" };
