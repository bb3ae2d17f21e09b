import { expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { makeDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
await post(world.admin, "a word that no cache may hold");

test("offline the page starts, says what is true, and goes on by itself", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs", {}, /ERR_|Failed to load/);
  await page.getByText("a word that no cache may hold").waitFor();
  await page.evaluate("navigator.serviceWorker.ready.then(() => null)");
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole("heading", { name: /does not answer$/ }).waitFor();
  await page.context().setOffline(false);
  await page.getByText("a word that no cache may hold").waitFor();
});

test("what is kept for offline is the shell alone", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.getByText("a word that no cache may hold").waitFor();
  await page.evaluate("navigator.serviceWorker.ready.then(() => null)");
  const kept = `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)
    .then((cache) => cache.keys()).then((requests) => Promise.all(requests.map((request) =>
      cache_text(request)))))))`.replace(
    "cache_text(request)",
    "caches.match(request).then((answer) => answer.text()).then((text) => [new URL(request.url).pathname, text])",
  );
  const files = (await page.evaluate<[string, string][][]>(kept)).flat();
  expect(files.length).toBeGreaterThan(3);
  for (const [path, text] of files) {
    expect(path === "/" || path === "/manifest.webmanifest" || path.startsWith("/assets/")).toBe(
      true,
    );
    expect(text).not.toContain("a word that no cache may hold");
    expect(text).not.toMatch(/ab[a-z]_[\w-]{32}/);
  }
});

test("the page can be installed: its manifest and icon are there", async () => {
  const document = await (await fetch(url)).text();
  const manifest = await fetch(url + /rel="manifest" href="([^"]+)"/.exec(document)![1]);
  expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
  const { icons, start_url, display } = (await manifest.json()) as any;
  expect({ start_url, display }).toEqual({ start_url: "/", display: "standalone" });
  const icon = await fetch(url + icons[0].src);
  expect(icon.headers.get("content-type")).toBe("image/svg+xml");
  expect(icon.headers.get("cache-control")).toContain("immutable");
});

test("a tab of an older build offers the newer one, and goes over to it while hidden", async () => {
  const page = await browser.signedIn(url, world.admin, "/", {}, /ERR_|Failed to load/);
  const other = { contentType: "text/html", body: '<script src="/assets/newer.js"></script>' };
  await page.route(`${url}/`, (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.fulfill(other),
  );
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await page.getByText("The server has a newer version of this page.").waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("navigation", { name: "Boards" }).waitFor();
});

test("files are compressed for who takes that, and the document says whether a session's cookie is there", async () => {
  const document = await (await fetch(url)).text();
  expect(document).toContain('name="session" content="none"');
  const script = url + /src="([^"]+)"/.exec(document)![1];
  const plain = await fetch(script, { headers: { "accept-encoding": "identity" } });
  const packed = await fetch(script, { headers: { "accept-encoding": "gzip" }, decompress: false });
  const best = await fetch(script, {
    headers: { "accept-encoding": "gzip, deflate, br;q=0.9" },
    decompress: false,
  });
  expect(plain.headers.get("content-encoding")).toBe(null);
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(best.headers.get("content-encoding")).toBe("br");
  const text = await plain.text();
  expect(Buffer.from(Bun.gunzipSync(await packed.bytes())).toString()).toBe(text);
  expect(brotliDecompressSync(await best.bytes()).toString()).toBe(text);
});
