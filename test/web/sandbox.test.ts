import { afterAll, beforeEach, expect, test } from "bun:test";
import { docs, makeDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);

/** What reaches another server than ours: a connection counts, also one without a request. */
const reached: string[] = [];
const elsewhere = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open: () => void reached.push("a connection"),
    data(socket, bytes) {
      reached.push(bytes.toString().split("\r\n")[0]!);
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    },
  },
});
afterAll(() => elsewhere.stop(true));
beforeEach(() => void reached.splice(0));
const other = `http://127.0.0.1:${elsewhere.port}`;

const put = (name: string, text: string) =>
  world.admin.upload({ ...docs, query: { name } }, new Blob([text]));
/** What a browser says when the policy stops something. */
const stopped = /./;
const marker = "<p id=marker>The end of the document</p>";

/** The page of a file, and the document in its frame once all of it is there. */
async function framed(name: string, html: string) {
  await put(name, html + marker);
  const page = await browser.signedIn(url, world.admin, "/b/docs/files", {}, stopped);
  await page.goto(`${url}/b/docs/files/${name}`);
  const frame = page.frameLocator("iframe.sandbox");
  await frame.getByText("The end of the document").waitFor();
  return { page, frame };
}

/** What a document asked for is under way before the same browser has asked for another page and drawn it. */
const settled = async () => {
  const other = await browser.open(`${url}/start`);
  await other.getByRole("heading").first().waitFor();
  await other.context().close();
};

const ways = {
  "an image": `<img src="${other}/a"><img srcset="${other}/b 1x"><picture><source srcset="${other}/c"><img></picture>`,
  "a style": `<style>@import url(${other}/d); body{background:url(${other}/e)} @font-face{font-family:x;src:url(${other}/f)} p{font-family:x}</style>`,
  "a link": `<link rel=stylesheet href="${other}/g"><link rel=preconnect href="${other}"><link rel=prefetch href="${other}/h"><link rel=icon href="${other}/i">`,
  "a frame": `<iframe src="${other}/j"></iframe><object data="${other}/k"></object><embed src="${other}/l"><noscript><iframe src="${other}/l2"></iframe></noscript><template><iframe src="${other}/l3"></iframe></template><svg><foreignObject><iframe src="${other}/l4"></iframe></foreignObject></svg>`,
  "a sound": `<audio autoplay src="${other}/m"></audio><video autoplay poster="${other}/n" src="${other}/o"></video>`,
  "a refresh": `<meta http-equiv=refresh content="0;url=${other}/p">`,
  "a base": `<base href="${other}/"><img src="q">`,
  "a script": `<script src="${other}/r"></script><script>fetch("${other}/s");document.getElementById("marker")?.remove()</script><img src=x onerror="location='${other}/t'"><svg onload="location='${other}/u'"></svg>`,
  "a script's address": `<a href="javascript:parent.location='${other}/v'" id=go>go</a>`,
} as const;

test.each(Object.entries(ways))("%s of a document reaches nothing", async (_, html) => {
  const { frame } = await framed(`${crypto.randomUUID()}.html`, html);
  if (html.includes("id=go")) await frame.locator("#go").click({ noWaitAfter: true });
  await settled();
  expect(reached).toEqual([]);
  expect(await frame.getByText("The end of the document").count()).toBe(1);
});

test("links and forms of a document leave the page where it is", async () => {
  const { page, frame } = await framed(
    "ways-out.html",
    `<a href="${other}/top" target=_top id=a>top</a><a href="${other}/blank" target=_blank id=b>blank</a>
     <form action="${other}/form" target=_top><button id=c>send</button></form>
     <form action="${other}/form2"><button id=d>send</button></form>
     <a href="${other}/ping" ping="${other}/pinged" download id=e>download</a>`,
  );
  const before = page.url();
  for (const id of ["a", "b", "c", "d", "e"]) await frame.locator(`#${id}`).click();
  await settled();
  expect(page.url()).toBe(before);
  expect(page.context().pages()).toHaveLength(1);
  expect(reached).toEqual([]);
  await page.getByRole("heading", { name: "ways-out.html" }).waitFor();
});

test("a link of a document that stays in its frame is refused by the page", async () => {
  const { page, frame } = await framed("inner.html", `<a href="${other}/inner" id=a>inner</a>`);
  await frame.locator("#a").click();
  await settled();
  expect(reached).toEqual([]);
  await page.getByRole("heading", { name: "inner.html" }).waitFor();
});

test("a document cannot reach the page around it, nor the session", async () => {
  const { page } = await framed("inside.html", `<p>inside</p>`);
  const inner = page.frames().find((one) => one.url().includes("/preview/"))!;
  expect(inner.url()).toMatch(/\/preview\/docs\/fil_\w+\/1$/);
  const seen = await page.evaluate(() => {
    const { contentDocument } = document.querySelector<HTMLIFrameElement>("iframe.sandbox")!;
    return contentDocument === null;
  });
  expect(seen).toBe(true);
});

test("a picture with a script in it is drawn and runs nothing", async () => {
  await put(
    "drawing.svg",
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="fetch('${other}/x')"><script>fetch("${other}/y")</script><image href="${other}/z"/><rect width="40" height="30"/></svg>`,
  );
  const page = await browser.signedIn(url, world.admin, "/b/docs/files/drawing.svg", {}, stopped);
  const picture = page.getByRole("img", { name: "drawing.svg" });
  await picture.waitFor();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".pic img")?.complete);
  expect(await picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(40);
  await settled();
  expect(reached).toEqual([]);
});

test("a picture that is none is there to save", async () => {
  await put("no-picture.png", "<script>alert(1)</script>");
  const page = await browser.signedIn(
    url,
    world.admin,
    "/b/docs/files/no-picture.png",
    {},
    stopped,
  );
  await page.getByText("It is not a picture that can be shown.").waitFor();
});
