import { expect, test } from "bun:test";
import { createClient, Unreachable } from "../../src/client/client.ts";
import { largestFile } from "../../src/contract/limits.ts";

const text = "the very bytes";
const digest = `sha256:${Bun.CryptoHasher.hash("sha256", text, "hex")}`;
const input = { params: { board: "docs", file: "a", version: "1" } };

/** A client of a server that answers each request with a body and headers. */
const clientOf = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  createClient({
    baseUrl: "http://127.0.0.1:7400",
    fetch: () => new Response(body, { headers: { etag: `"${digest}"`, ...headers } }),
  });
const downloaded = async (client: ReturnType<typeof clientOf>) =>
  new Response((await client.download(input)).body).text();

test("a download gives the bytes of its digest, also behind a proxy that marks the tag", async () => {
  expect(await downloaded(clientOf(text))).toBe(text);
  expect(await downloaded(clientOf(text, { etag: `W/"${digest}"` }))).toBe(text);
  expect(await downloaded(clientOf(text, { etag: `"${digest}-gzip"` }))).toBe(text);
});

test("a download that was changed, cut short or broken off fails at its end", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 4)));
    },
    pull: (controller) => controller.error(new Error("the connection was closed")),
  });
  for (const body of [`${text}!`, text.slice(0, 4), "", null, broken])
    await expect(downloaded(clientOf(body))).rejects.toThrow(Unreachable);
  await expect(downloaded(clientOf(text, { etag: "" }))).rejects.toThrow(Unreachable);
});

test("a download of more bytes than any file has is given up, and not read on", async () => {
  let sent = 0;
  const long = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024 * 1024;
      if (sent > 2 * largestFile) controller.close();
      else controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  await expect(downloaded(clientOf(long))).rejects.toThrow("more bytes than any file has");
  expect(sent).toBeLessThan(1.5 * largestFile);
});

test("a refused upload or download is the server's error, and anything else is no server of ours", async () => {
  const answering = (status: number, body: string) =>
    createClient({
      baseUrl: "http://127.0.0.1:7400",
      fetch: () => new Response(body, { status }),
    });
  const error = { error: { code: "file_not_found", message: "No.", hint: "Look." } };
  const refused = answering(404, JSON.stringify(error));
  await expect(refused.download(input)).rejects.toMatchObject({
    status: 404,
    code: "file_not_found",
  });
  const put = { params: { board: "docs" }, query: { name: "a" } };
  await expect(refused.upload(put, new Blob([text]))).rejects.toMatchObject({ status: 404 });
  const foreign = answering(502, "<html>Bad gateway</html>");
  await expect(foreign.download(input)).rejects.toThrow(Unreachable);
  await expect(foreign.upload(put, new Blob([text]))).rejects.toThrow(Unreachable);
});

test("an upload names its size and sends its bytes as they are, under the key that it was given", async () => {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1:7400",
    token: "abh_x",
    fetch(request) {
      sent.push(request);
      return Response.json({});
    },
  });
  const put = { params: { board: "docs" }, query: { name: "a/b", about: ["1", "2"] } };
  await client.upload(put, new Blob([text]), { idempotencyKey: "once", onProgress: () => {} });
  const [request] = sent;
  expect(request!.url).toEndWith("/v1/boards/docs/files?name=a%2Fb&about=1&about=2");
  expect(Object.fromEntries(request!.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-length": String(text.length),
    "idempotency-key": "once",
  });
  expect(await request!.text()).toBe(text);
});
