import { afterEach, expect, test } from "bun:test";
import { badGateway, rexOnPlans } from "../../support/servers/server-on-port-with-clock.ts";

const { other, server } = await rexOnPlans();
const { json, run } = other;
const rex = ["--as", "rex"];

afterEach(() => {
  server.between = (_, answer) => answer();
});

const isPost = ({ method, url }: Request) => method === "POST" && url.endsWith("/messages");

/** Loses the answers to the next posts, after the server has done them, and counts the posts. */
function loseAnswers(count: number, lost = badGateway) {
  const seen = { posts: 0 };
  server.between = async (request, answer) => {
    if (!isPost(request)) return answer();
    const given = await answer();
    return ++seen.posts > count ? given : lost();
  };
  return seen;
}

const brokenOff = () => new Response('{"id":"msg_');

const bodies = async (): Promise<string[]> =>
  (await json(["read", ...rex])).messages.map(({ body }: { body: string }) => body);

test("a post whose answer was lost is asked for once more, and is there once", async () => {
  for (const [text, lost] of [
    ["over a proxy", badGateway],
    ["cut off", brokenOff],
  ] as const) {
    const seen = loseAnswers(1, lost);
    await json(["say", text, ...rex]);
    expect(seen.posts).toBe(2);
    expect((await bodies()).filter((body) => body === text)).toHaveLength(1);
  }
});

test("where that answer is lost too, the error says that it may be stored, and its command stores it once", async () => {
  loseAnswers(2);
  const { error } = (await run(["say", "It's ready", ...rex, "--json"])).json();
  expect(error.code).toBe("uncertain");
  expect(error.message).toEndWith("The message may have been stored all the same.");
  const { retry } = error.details;
  expect(error.hint).toEndWith(`\`service say 'It'\\''s ready' --as rex --json --retry ${retry}\``);
  const again = ["say", "It's ready", ...rex, "--retry", retry];
  const first = await json(again);
  expect((await json(again)).message.seq).toBe(first.message.seq);
  expect((await bodies()).filter((body) => body === "It's ready")).toHaveLength(1);
});

test("a repeat that is lost again names the same key", async () => {
  loseAnswers(2);
  const { code, stderr } = await run(["say", "Again", ...rex, "--retry", "my-key"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error (uncertain): ");
  expect(stderr).toEndWith(" say Again --as rex --retry my-key`\n");
});

test("a key with another text posts nothing, and says that its message is there", async () => {
  await json(["say", "One", ...rex, "--retry", "one-key"]);
  const { error } = (await run(["say", "Two", ...rex, "--retry", "one-key", "--json"])).json();
  expect(error.code).toBe("idempotency_conflict");
  expect(error.hint).toStartWith("A message with this key has arrived");
  expect(await bodies()).not.toContain("Two");
});

test("asks and people's posts say it too", async () => {
  loseAnswers(2);
  const ask = (await run(["ask", "Which?", "a", "b", ...rex, "--json"])).json().error;
  expect(ask.code).toBe("uncertain");
  loseAnswers(2);
  const said = ["say", "Good morning", "--me", "--board", "plans", "--server", server.url];
  expect((await run([...said, "--json"])).json().error.code).toBe("uncertain");
});

test("a post that was refused, or never sent, is not uncertain", async () => {
  const refused = (await run(["say", "Hi", "--to", "@nobody", ...rex, "--json"])).json().error;
  expect(refused.code).toBe("unknown_recipient");
  server.between = async (request, answer) =>
    isPost(request) ? new Response("Not here", { status: 404 }) : answer();
  const elsewhere = (await run(["say", "Hi", ...rex, "--json"])).json().error;
  expect(elsewhere.code).toBe("server_unreachable");
});
