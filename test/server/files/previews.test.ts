import { expect, test } from "bun:test";
import { newWorldWithFiles, type Viewer } from "../../support/boards/board-with-previews.ts";

const policy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

const gif = new Uint8Array([...Buffer.from("GIF89a"), 1, 0, 1, 0, 0, 0, 0, 0x3b]);

async function viewed({ put, view }: Viewer, name: string, bytes: BlobPart, media_type?: string) {
  await put(name, bytes, media_type);
  return view(name);
}

test("HTML comes as a document in which nothing runs and from which nothing leaves", async () => {
  const viewer = await newWorldWithFiles();
  const answer = await viewed(viewer, "deep/page.html", "<h1>Hello</h1><script>1</script>");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("<h1>Hello</h1><script>1</script>");
  const { etag, "x-request-id": _, ...headers } = Object.fromEntries(answer.headers);
  expect(etag).toMatch(/^"sha256:/);
  expect(headers).toEqual({
    "content-type": "text/html; charset=utf-8",
    "content-disposition": "inline",
    "content-security-policy": policy,
    "cache-control": "private, no-cache, no-transform",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    vary: "cookie, sec-fetch-dest",
  });
});

test("what leads out of a document does not come with it, and links within it do", async () => {
  const viewer = await newWorldWithFiles();
  const page = `<LINK rel=preconnect href=//x><base href=//x><meta http-equiv=refresh content="0;url=//x">
<svg><link href="//x"/><a xlink:href="//x"></a></svg><iframe src=//x></iframe><object data=//x></object><embed src=//x>
<noscript><iframe src=//x></iframe></noscript><form action=//x><button formaction=//x>b</button></form>
<a href=//x ping=//x>a</a><a href="#one">one</a><area href=//x><meta charset=utf-8><style>p{}</style><p>Text</p>`;
  const text = await (await viewed(viewer, "a.html", page)).text();
  expect(text).not.toContain("//x");
  expect(text).toContain(`<a href="#one">one</a>`);
  expect(text).toContain(`<meta charset=utf-8><style>p{}</style><p>Text</p>`);
});

test("a document that is opened by itself is saved, and one in a frame is shown", async () => {
  const viewer = await newWorldWithFiles();
  await viewer.put("a.html", "<p>a</p>");
  const alone = await viewer.view("a.html", { "sec-fetch-dest": "document" });
  expect(alone.headers.get("content-disposition")).toBe("attachment");
  const framed = await viewer.view("a.html", { "sec-fetch-dest": "iframe", range: "bytes=0-1" });
  expect(framed.headers.get("content-disposition")).toBe("inline");
  expect([framed.status, await framed.text()]).toEqual([200, "<p>a</p>"]);
});

test("a picture has the type of its bytes, whatever its name and its writer say", async () => {
  const viewer = await newWorldWithFiles();
  const cases: [string, BlobPart, string | undefined, string | null][] = [
    ["a.gif", gif, undefined, "image/gif"],
    ["b.png", gif, "image/png", "image/gif"],
    ["c.bin", gif, "image/webp", "image/gif"],
    ["d.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`, undefined, "image/svg+xml"],
    ["e.png", "<script>1</script>", undefined, null],
    ["f.svg", "<html></html>", undefined, null],
    ["g.png", "", undefined, null],
  ];
  for (const [name, bytes, given, type] of cases) {
    const answer = await viewed(viewer, name, bytes, given);
    if (type === null) expect([name, answer.status]).toEqual([name, 404]);
    else expect([name, answer.headers.get("content-type")]).toEqual([name, type]);
    expect(answer.headers.get("content-security-policy")).toBe(type && policy);
    if (type === "image/gif") expect(await answer.bytes()).toEqual(gif);
  }
});

test("anything else has no preview", async () => {
  const viewer = await newWorldWithFiles();
  for (const [name, type] of [
    ["a.js", undefined],
    ["b.pdf", undefined],
    ["c", "application/xhtml+xml"],
    ["d.xml", "text/xml"],
  ] as const)
    expect([name, (await viewed(viewer, name, "<p/>", type)).status]).toEqual([name, 404]);
});

test("only a browser's session is taken, and only of somebody who may read the board", async () => {
  const viewer = await newWorldWithFiles();
  await viewer.put("a.html", "<p>a</p>");
  const { world, stranger } = viewer;
  const address = viewer.addressOf("a.html");
  const statusWith = async (headers: Record<string, string>) =>
    (await world.handle(new Request(address, { headers }))).status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: `Bearer ${world.admin.token}` })).toBe(401);
  expect(await statusWith({ cookie: await stranger() })).toBe(403);
  expect((await viewer.view("none.html")).status).toBe(404);
  const known = await viewer.view("a.html");
  const again = await viewer.view("a.html", { "if-none-match": known.headers.get("etag")! });
  expect([again.status, again.headers.get("content-security-policy")]).toEqual([304, policy]);
});
