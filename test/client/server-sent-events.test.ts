import { expect, test } from "bun:test";
import { createClient, Unreachable, type StreamEvent } from "../../src/client/client.ts";
import { longestEvent } from "../../src/client/server-sent-events.ts";

const encoder = new TextEncoder();
/** A client of a server whose stream sends these chunks and ends. `left` says whether the client hung up first. */
function clientOf(chunks: readonly (string | Uint8Array)[]) {
  const waiting = chunks.map((chunk) =>
    typeof chunk === "string" ? encoder.encode(chunk) : chunk,
  );
  let left = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = waiting.shift();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: () => void (left = true),
    },
    { highWaterMark: 0 },
  );
  const client = createClient({
    baseUrl: "http://127.0.0.1:7400",
    fetch: () => new Response(body),
  });
  return { client, hasLeft: () => left };
}

/** The events that a stream of these chunks is read as. */
async function read(...chunks: (string | Uint8Array)[]): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of clientOf(chunks).client.stream()) events.push(event);
  return events;
}

const head = (board: string, seq: number) => ({
  event: "head" as const,
  data: { board, board_id: "brd_1", seq },
});
const textOf = (event: StreamEvent, end = "\n") =>
  [`event: ${event.event}`, `data: ${JSON.stringify(event.data)}`, "", ""].join(end);
/** Names with characters of two, three and four bytes. */
const events = [head("é", 1), head("茶", 2), head("🍵", 3)];

test("events are read whichever way their lines end", async () => {
  for (const end of ["\n", "\r\n", "\r"])
    expect(await read(events.map((event) => textOf(event, end)).join(""))).toEqual(events);
});

test("events are read wherever the chunks end, within a character and a line end too", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const bytes = encoder.encode(events.map((event) => textOf(event, end)).join(""));
    for (let at = 1; at < bytes.length; at++)
      expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(events);
    expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  }
});

test("comments and unknown fields are left out, an id is kept, and lines of data are put together", async () => {
  const [first] = events as [StreamEvent];
  const data = JSON.stringify(first.data, null, 1)
    .split("\n")
    .map((line) => `data:${line}\n`)
    .join("");
  const text = `: keepalive\n\nid: 7\nretry: 10\nodd: x\n: more\nevent:head\n${data}\n: keepalive\n\n`;
  expect(await read(text)).toEqual([{ ...first, id: "7" }]);
});

test("an event that the stream ends in the midst of is left out", async () => {
  const [first, second] = events.map((event) => textOf(event)) as [string, string];
  for (let length = 0; length < second.length; length++)
    expect(await read(first, second.slice(0, length))).toEqual([events[0]!]);
});

test("an event that is too long ends the stream with an error, after those before it", async () => {
  const long = `event: head\ndata: {"board":"${"x".repeat(longestEvent)}"}\n\n`;
  const endless = Array.from({ length: 64 }, () => "data: x\n".repeat(longestEvent / 64));
  const pieces = long.match(/[^]{1,65536}/g)!;
  for (const chunks of [[long], pieces, endless]) {
    const { client, hasLeft } = clientOf([textOf(events[0]!), ...chunks, ": more\n\n"]);
    const stream = client.stream();
    expect((await stream.next()).value).toEqual(events[0]!);
    const failure = await stream.next().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Unreachable);
    expect(failure).toMatchObject({ message: expect.stringContaining("more than 1048576") });
    expect(hasLeft()).toBe(true);
  }
  const { board_id } = events[0]!.data;
  const longest = { board: "x".repeat(longestEvent - 100), board_id, seq: 1 };
  expect(await read(textOf({ event: "head", data: longest }))).toEqual([
    { event: "head", data: longest },
  ]);
});

test("the parser is loaded by who follows a stream, and by no other client", async () => {
  const program = `
    const loaded = () => Object.keys(require.cache).some((file) => file.includes("eventsource-parser"));
    const { createClient } = await import(${JSON.stringify(import.meta.resolve("../../src/client/client.ts"))});
    const fetch = () => new Response("{}");
    const client = createClient({ baseUrl: "http://127.0.0.1:7400", fetch });
    await client.call("getInfo");
    const before = loaded();
    for await (const _ of client.stream()) break;
    console.log(before, loaded());`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" });
  expect((await new Response(child.stdout).text()).trim()).toBe("false true");
});
