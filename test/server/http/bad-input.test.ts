import { expect, test } from "bun:test";
import { startUntouched as start } from "../../support/boards/board-unchanged-by-refusals.ts";

const bytes = (...values: number[]) => new Uint8Array(values);
const joined = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const posting = "POST /v1/boards/docs/messages";
const megabyte = 1024 * 1024;

test("what is not JSON is refused", async () => {
  const { refused } = await start();
  const texts = ["{", "}", "[", "", " ", "nul", "{'body':'x'}", '{"body":"x"', '{"body":"x",}'];
  const more = [
    '{"body":x}',
    '{"body":"x"}}',
    "NaN",
    "undefined",
    '{body:"x"}',
    '{"body":"\t"}',
    "\u0000",
  ];
  for (const body of [...texts, ...more]) await refused(posting, { body });
});

test("JSON that is no object, or of other types than asked, is refused", async () => {
  const { refused } = await start();
  for (const body of ["null", "true", "1", '"x"', "[]", '[{"body":"x"}]'])
    for (const line of [posting, "POST /v1/boards", "POST /v1/join", "PATCH /v1/boards/docs"])
      await refused(line, { body });
  for (const wrong of [null, true, 1, ["x"], { x: 1 }]) {
    await refused(posting, { body: { body: wrong } });
    await refused("POST /v1/boards", { body: { name: wrong } });
    await refused("PATCH /v1/boards/docs", { body: { title: wrong } });
    await refused("POST /v1/keys", { body: { name: wrong } });
    await refused("POST /v1/join", { body: { board: "docs", role: wrong } });
    await refused("POST /v1/join", { body: { code: wrong } });
  }
  for (const wrong of [null, "true", 1, []])
    await refused("PATCH /v1/boards/docs", { body: { agents_add_people: wrong } });
  for (const wrong of [null, "all", {}, [1], [null], [["all"]]])
    await refused(posting, { body: { body: "x", to: wrong } });
});

test("bytes that are not UTF-8 are refused", async () => {
  const { refused } = await start();
  for (const bad of [
    bytes(0xff),
    bytes(0xc3),
    bytes(0xc0, 0x80),
    bytes(0xed, 0xa0, 0x80),
    bytes(0xf4, 0x90, 0x80, 0x80),
  ]) {
    await refused(posting, { body: joined('{"body":"', bad, '"}') });
    await refused(posting, { body: joined('{"body":"x"}', bad) });
  }
  await refused(posting, { body: Buffer.from('{"body":"x"}', "utf16le") });
});

test("a lone surrogate is refused wherever it stands, a pair is a character", async () => {
  const { refused, send } = await start();
  for (const lone of [
    "\\ud800",
    "\\uDC00",
    "\\udc00\\ud800",
    "x\\uD83D",
    "\\ud83d\\ud83d\\ude00",
  ]) {
    await refused(posting, { body: `{"body":"${lone}"}` });
    await refused(posting, { body: `{"body":"x","to":["${lone}"]}` });
    await refused(posting, { body: `{"body":"x","${lone}":1}` });
    await refused("PATCH /v1/boards/docs", { body: `{"title":"${lone}"}` });
    await refused("POST /v1/boards", { body: `{"charter":"${lone}"}` });
  }
  const { text } = await send(posting, { body: '{"body":"\\ud83d\\ude00 and \\\\ud800"}' });
  expect((JSON.parse(text) as { body: string }).body).toBe("😀 and \\ud800");
});

test("a body of another media type, or of none, is refused", async () => {
  const { refused, send } = await start();
  const body = new TextEncoder().encode('{"body":"x"}');
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "text/json",
    "application/json; charset=latin1",
    "application/xml",
    "",
  ])
    await refused(posting, { body, headers: { "content-type": type } });
  for (const type of [
    "application/json",
    "APPLICATION/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
  ])
    expect((await send(posting, { body, headers: { "content-type": type } })).status).toBe(201);
});

test("a body past a megabyte is 413 and is not read to its end", async () => {
  const { refused, send } = await start();
  const large = `{"body":"x"}${" ".repeat(megabyte - 11)}`;
  await refused(posting, { body: large }, "413 message_too_large");
  const length = { "content-length": String(megabyte + 1) };
  await refused(posting, { body: endless().stream, headers: length }, "413 message_too_large");
  const flood = endless();
  await refused(posting, { body: flood.stream }, "413 message_too_large");
  expect(flood.sent()).toBeLessThan(2 * megabyte);
  await refused("POST /v1/me/leave", { body: large }, "403 agent_token_required");
  await refused(
    "POST /v1/connect",
    { token: undefined as never, body: large },
    "413 message_too_large",
  );
  expect((await send(posting, { body: large.slice(0, megabyte) })).status).toBe(201);

  function endless() {
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    return { stream, sent: () => sent };
  }
});

test("a body that breaks off is the client's fault: it is refused, and nothing is logged as a fault", async () => {
  const { refused } = await start();
  const broken = () =>
    new ReadableStream({ start: (controller) => controller.error(new Error("the client left")) });
  await refused(posting, { body: broken() }, "400 invalid_request");
  const length = { "content-length": "20" };
  await refused(posting, { body: broken(), headers: length }, "400 invalid_request");
});

test("what an operation needs must be there, and no change is no change request", async () => {
  const { refused } = await start();
  await refused(posting, {});
  await refused(posting, { body: {} });
  await refused("POST /v1/boards", {});
  await refused("PATCH /v1/boards/docs", { body: {} });
  await refused("PATCH /v1/boards/docs", { body: { policy: {} } });
  await refused("PATCH /v1/settings", { body: {} });
  await refused("POST /v1/join", { body: {} });
  await refused("POST /v1/join", { body: { board: "docs" } });
  await refused("POST /v1/join", { body: { code: "ABC-DEF", board: "docs", role: "member" } });
});

test("a text is as long as its code points, at its bound and past it", async () => {
  const { refused, send } = await start();
  const titled = async (title: string) =>
    (await send("PATCH /v1/boards/docs", { body: { title } })).text;
  await refused("PATCH /v1/boards/docs", { body: { title: "😀".repeat(81) } });
  await refused("PATCH /v1/boards/docs", { body: { title: "x".repeat(81) } });
  await refused("POST /v1/boards", { body: { charter: "😀".repeat(8001) } });
  await refused(posting, { body: { body: "" } });
  await refused(posting, { body: { body: "😀".repeat(32_769) } }, "413 message_too_large");
  await refused(posting, { body: { body: "x".repeat(65_537) } }, "413 message_too_large");
  await refused("POST /v1/join", {
    body: { board: "docs", role: "member", harness: "é".repeat(41) },
  });
  await refused("POST /v1/keys", { body: { name: "x".repeat(41) } });

  expect(JSON.parse(await titled("😀".repeat(80)))).toMatchObject({ title: "😀".repeat(80) });
  expect((await send(posting, { body: { body: "😀".repeat(32_768) } })).status).toBe(201);
  const family = "👩‍👩‍👧".repeat(16);
  expect(JSON.parse(await titled(family))).toMatchObject({ title: family });
  const board = { charter: "😀".repeat(8000) };
  expect((await send("POST /v1/boards", { body: board })).status).toBe(201);
});

test("control characters and line breaks in a title are 422", async () => {
  const { refused } = await start();
  for (const bad of [
    "a\nb",
    "a\rb",
    "a\u0000b",
    "a\u001b[31mb",
    "a\u0085b",
    "a\tb",
    "a\u2028b",
    "a\u2029b",
  ]) {
    await refused("PATCH /v1/boards/docs", { body: { title: bad } }, "422 invalid_request");
    await refused("POST /v1/boards", { body: { title: bad } }, "422 invalid_request");
  }
});
