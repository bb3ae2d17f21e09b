import { afterAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { largestAnswer } from "../../src/client/answered-json.ts";
import { createClient, Unreachable } from "../../src/client/client.ts";

const mebibyte = 1024 * 1024;
/** How much of an answer without an end was asked for, in bytes. */
let sent = 0;

const endless = () =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += mebibyte;
      if (sent > 4 * largestAnswer) controller.close();
      else controller.enqueue(new Uint8Array(mebibyte).fill(32));
    },
  });

/** JSON of more bytes than are read, which fits into few. */
const packed = gzipSync(Buffer.concat([Buffer.from("{}"), Buffer.alloc(largestAnswer, 32)]));
const small = gzipSync('{"id":"packed"}');

const hostile = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const kind = request.headers.get("authorization");
    if (kind === "Bearer packed") return new Response(packed, { headers });
    if (kind === "Bearer small") return new Response(small, { headers });
    return new Response(endless(), { headers: { "content-type": "application/json" } });
  },
});
afterAll(() => hostile.stop(true));

const me = (token: string) =>
  createClient({ baseUrl: `http://127.0.0.1:${hostile.port}`, token }).call("getMe");

test("an answer without an end is given up, and not read on", async () => {
  expect(await me("endless").catch((error: unknown) => error)).toBeInstanceOf(Unreachable);
  expect(sent).toBeLessThan(3 * largestAnswer);
});

test("an answer that unpacks to more than any answer has is refused", async () => {
  expect(packed.length).toBeLessThan(mebibyte);
  expect(await me("packed").catch((error: unknown) => error)).toBeInstanceOf(Unreachable);
});

test("an answer that was packed on the way is read", async () => {
  expect(await me("small")).toMatchObject({ id: "packed" });
});
