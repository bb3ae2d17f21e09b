import { describe, expect, test } from "bun:test";
import { pageAddress, pageNames } from "../../../src/server/http/page-names.ts";
import { ask } from "../../support/raw-requests.ts";
import { startWorld } from "../../support/servers/server-in-process.ts";

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const world = await startWorld({ mode: "team", url: "https://board.example.org" });

describe("pages", () => {
  test.each(["/start", "/start/invitation", "/docs", ...pageNames.map(pageAddress)])(
    "%s is a page for everybody, under the same policy, with and without a body",
    async (address) => {
      for (const method of ["GET", "HEAD"]) {
        const { status, text, headers } = await ask(world, `${method} ${address}`);
        expect(status).toBe(200);
        expect(headers["content-type"]).toBe("text/html; charset=utf-8");
        expect(headers["content-security-policy"]).toBe(policy);
        if (method === "GET") expect(text).toStartWith("<!doctype html>");
      }
    },
  );

  test("the start page names the server's address and leads to the reference", async () => {
    const { text } = await ask(world, "GET /start");
    expect(text).toContain("service connect https://board.example.org --handle HANDLE");
    expect(text).toContain('href="/docs"');
  });

  test("an address without a page is a page for a browser, and JSON for a program", async () => {
    for (const address of [
      "/docs/",
      "/docs/nothing",
      "/boards",
      "/join/abi_x",
      "/docs/constructor",
    ]) {
      for (const accept of [undefined, "*/*", "application/json", "text/html;q=0, */*"]) {
        const headers = accept === undefined ? undefined : { accept };
        const told = await ask(world, `GET ${address}`, headers && { headers });
        expect(told.verdict).toBe("404 not_found");
      }
      const request = new Request(world.url + address, { headers: browser });
      const shown = await world.handle(request);
      expect(shown.status).toBe(404);
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "cache-control": "no-store",
        vary: "accept",
      });
      const text = await shown.text();
      expect(text).toContain('href="/docs"');
      expect(text).not.toContain(address);
    }
  });

  test("what programs use stays JSON, also in a browser", async () => {
    for (const line of [
      "GET /v1/nothing",
      "GET /v1",
      "GET /v1/",
      "POST /docs/nothing",
      "PUT /docs",
    ])
      expect((await ask(world, line, { headers: browser })).verdict).toBe("404 not_found");
  });
});
