import { expect, test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
await post(world.admin, "The first of all");

/** What the first view of a board's talk asks for. */
const wanted = [
  "/v1/me/browser-session",
  "/v1/boards",
  "/v1/me/attention",
  "/v1/me/agents",
  "/v1/boards/docs",
  "/v1/boards/docs/members",
  "/v1/boards/docs/messages",
];

/** A browser has so many connections to a server that speaks HTTP/1.1. */
const connections = 6;

test("what the first view asks for is asked at once: none of it waits for another answer", async () => {
  const page = await browser.signedIn(url, ben);
  const asked = new Set<string>();
  const { promise: all, resolve } = Promise.withResolvers<void>();
  server.between = async (request, answer) => {
    const path = new URL(request.url).pathname;
    if (!wanted.includes(path)) return answer();
    asked.add(path);
    if (asked.size === connections) resolve();
    // No answer is given before as much was asked for as the browser asks for at a time.
    await all;
    return answer();
  };
  await page.goto(`${url}/b/docs`);
  await page.getByText("The first of all").waitFor();
  server.between = (_, answer) => answer();
  expect([...asked].toSorted()).toEqual(wanted.toSorted());
});

test("the frame is there before the server has said who is signed in", async () => {
  const page = await browser.signedIn(url, ben);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.between = async (request, answer) => {
    if (new URL(request.url).pathname === "/v1/me/browser-session") await promise;
    return answer();
  };
  await page.goto(`${url}/b/docs`);
  await page.getByRole("heading", { level: 1, name: "docs" }).waitFor();
  expect(await page.getByText("The first of all").count()).toBe(0);
  resolve();
  await page.getByText("The first of all").waitFor();
  server.between = (_, answer) => answer();
});
