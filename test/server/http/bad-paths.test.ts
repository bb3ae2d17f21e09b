import { expect, test } from "bun:test";
import { startUntouched as start } from "../../support/boards/board-unchanged-by-refusals.ts";

const id = (prefix: string, rest = "0".repeat(26)) => `${prefix}_${rest}`;

test("paths that are no path of an operation are 404", async () => {
  const { refused } = await start();
  const paths = [
    "/v1",
    "/v1/",
    "/V1/boards",
    "/v1/Boards",
    "/v1/boards/",
    "/v1//boards",
    "//v1/boards",
  ];
  const more = [
    "/v1/boards/docs/",
    "/v1/boards//people",
    "/v1/boards/docs//people",
    "/v2/boards",
    "/v1/boards/docs/people/",
  ];
  const rest = [
    "/v1/boards/docs/nothing",
    "/v1/me/",
    "/boards",
    "/v1/boards/docs/messages/1",
    "/v1/constructor",
  ];
  for (const path of [...paths, ...more, ...rest])
    await refused(`GET ${path}`, {}, "404 not_found");
  await refused("POST /v1/boards/", { body: {} }, "404 not_found");
});

test("escapes in a path that are broken, or hide a slash or a dot, name nothing", async () => {
  const { refused, message } = await start();
  for (const name of [
    "%ZZ",
    "%",
    "%2",
    "%2F",
    "a%2Fb",
    "docs%2F",
    "docs%00",
    "docs%0A",
    "%ff%fe",
    "do+cs",
    "docs%20",
    "d%C3%B6cs",
  ])
    for (const line of [`GET /v1/boards/${name}`, `GET /v1/boards/${name}/people`])
      await refused(line, {});
  for (const path of ["/v1/boards/%2e%2e/", "/v1/boards/docs/%2e%2e/%2e%2e/nothing"])
    await refused(`GET ${path}`, {}, "404 not_found");
  await refused(`GET /v1/messages/${message.id}%2Freplies`, {});
  await refused("PUT /v1/boards/docs/members/%40writer/delivery", { body: { mode: "all" } });
});

test("ids and names of another shape are refused before they are looked up", async () => {
  const { refused, message } = await start();
  const wrong = [
    "x",
    id("brd"),
    id("msg", "0".repeat(25)),
    id("msg", "0".repeat(27)),
    id("MSG"),
    id("msg", "U".repeat(26)),
  ];
  for (const each of [...wrong, message.id.toLowerCase(), `${message.id}%0A`])
    await refused(`GET /v1/messages/${each}`, {});
  for (const each of ["x", id("hum"), id("key", "o".repeat(26))])
    await refused(`DELETE /v1/keys/${each}`, {});
  for (const each of ["x", id("brd"), "ABC-DEF"])
    await refused(`DELETE /v1/boards/docs/join-codes/${each}`, {});
  for (const each of ["d", "-docs", "docs-", "Docs", "do_cs", "x".repeat(41), id("brd")])
    await refused(`GET /v1/boards/${each}`, {});
  for (const each of ["x", "brd_", id("hum")])
    await refused(`DELETE /v1/boards/${each}/members/writer`, {});
  for (const each of ["Writer", "-writer", "x".repeat(41)])
    await refused(`PUT /v1/boards/docs/members/${each}/delivery`, { body: { mode: "all" } });
  await refused(`DELETE /v1/boards/docs/members/${"x".repeat(65)}`, {});
  for (const each of ["wave", "Eyes", "👀", "constructor"])
    await refused(`PUT /v1/messages/${message.id}/reactions/${encodeURIComponent(each)}`, {});
  await refused("POST /v1/boards/docs/messages", { body: { body: "x", reply_to: "msg_1" } });
  await refused("POST /v1/invites", { body: { boards: ["docs"] } });
  await refused("POST /v1/join", { body: { board: id("brd"), role: "member" } });
});

test("numbers past their bounds, and what is no whole number, are refused", async () => {
  const { refused, seat } = await start();
  const token = { token: seat.token };
  for (const up_to of [-1, 1.5, 1e10, 2 ** 53, "1", null]) {
    await refused("POST /v1/boards/docs/ack", { body: { up_to } });
    await refused("POST /v1/me/inbox/ack", { ...token, body: { up_to } });
  }
  for (const text of [
    '{"up_to":1e999}',
    '{"up_to":0x1}',
    '{"up_to":+1}',
    '{"up_to":01}',
    '{"up_to":-1e0}',
  ])
    await refused("POST /v1/boards/docs/ack", { body: text });
  for (const ttl_seconds of [3599, 31_536_001, 3600.5, "3600"])
    await refused("POST /v1/keys", { body: { name: "phone", ttl_seconds } });
  for (const ttl_seconds of [59, 2_592_001, 0, -1])
    await refused("POST /v1/invites", { body: { ttl_seconds } });
  for (const ttl_seconds of [59, 604_801])
    await refused("POST /v1/boards/docs/join-codes", { body: { role: "member", ttl_seconds } });
  for (const query of [
    "limit=0",
    "limit=201",
    "limit=-1",
    "limit=1.5",
    "limit=1e1",
    "limit=",
    "limit=x",
    "limit=%2B1",
  ])
    for (const path of [
      "/v1/boards/docs/messages",
      "/v1/boards/docs/events",
      "/v1/boards/docs/threads",
    ])
      await refused(`GET ${path}?${query}`, {});
  for (const query of [
    "after=-1",
    "after=4294967296",
    "after=99999999999999999999",
    "before=0",
    "before=4294967296",
    "newest=1",
    "newest=yes",
  ])
    for (const path of ["/v1/boards/docs/messages", "/v1/boards/docs/events"])
      await refused(`GET ${path}?${query}`, {});
  for (const query of ["to_me=", "from=%40ana", "role=R"])
    await refused(`GET /v1/boards/docs/messages?${query}`, {});
  for (const query of ["wait=601", "wait=-1", "wait=x"])
    await refused(`GET /v1/me/inbox?${query}`, token);
  for (const seq of ["0", "-1", "1.5", "x", "4294967296", "1e1"])
    await refused(`GET /v1/boards/docs/messages/${seq}/receipts`, {});
  await refused(
    "POST /v1/boards/docs/ack",
    { body: { up_to: 4_294_967_295 } },
    "422 ack_out_of_range",
  );
});

test("lists past their bounds are refused", async () => {
  const { refused, board } = await start();
  const line = "POST /v1/boards/docs/messages";
  await refused(line, { body: { body: "x", to: [] } });
  await refused(line, { body: { body: "x", to: Array(51).fill("@ana") } });
  await refused(line, { body: { body: "x", to: ["x".repeat(61)] } });
  await refused(line, { body: { body: "x", to: [""] } });
  await refused(line, { body: { body: "x", about: Array(9).fill("1") } });
  await refused("POST /v1/invites", { body: { boards: [board, board] } });
});

test("names of a prototype are names like any other: unknown", async () => {
  const { refused } = await start();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const own = `{"name":"plaza","${name}":{"x":1}}`;
    const { text } = await refused("POST /v1/boards", { body: own });
    expect(text).toContain(`${name} is not a field`);
    await refused("PATCH /v1/boards/docs", { body: `{"policy":{"${name}":"open"}}` });
    await refused("PATCH /v1/boards/docs", { body: `{"${name}":{"title":"x"}}` });
    await refused("POST /v1/join", { body: `{"board":"docs","role":"member","${name}":{}}` });
    await refused("DELETE /v1/boards/docs/members/writer", { body: `{"${name}":{}}` });
    await refused("POST /v1/boards", { body: { template: name } }, "422 template_not_found");
    await refused(`GET /v1/boards?${name}=1`, {});
    await refused(`GET /v1/boards/docs/messages?${name}=1`, {});
  }
  await refused(
    "POST /v1/join",
    { body: { board: "docs", role: "constructor" } },
    "422 role_not_found",
  );
  await refused("GET /v1/boards/docs/messages?role=constructor", {}, "404 role_not_found");
});

test("a harness may be called anything, prototype names included", async () => {
  const { send } = await start();
  for (const harness of ["constructor", "__proto__", "toString"]) {
    const { status, text } = await send("POST /v1/join", {
      body: { board: "docs", role: "member", harness },
    });
    expect(status).toBe(201);
    expect(JSON.parse(text)).toMatchObject({ agent: { harness } });
  }
});

test("a body nested 100,000 deep is refused like any other that does not fit", async () => {
  const { refused, seat } = await start();
  const deep = (core: string, times = 100_000) => `${"[".repeat(times)}${core}${"]".repeat(times)}`;
  const deepObject = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  for (const core of ["", "1", '"\\ud800"', '"\\ud83d\\ude00"'])
    for (const line of [
      "POST /v1/boards",
      "PATCH /v1/boards/docs",
      "POST /v1/join",
      "POST /v1/invites",
    ]) {
      await refused(line, { body: deep(core) });
      await refused(line, { body: `{"boards":${deep(core)}}` });
    }
  for (const body of [deepObject, deep(""), '{"x":' + deep("") + "}"]) {
    await refused("POST /v1/boards/docs/messages", { body });
    await refused("DELETE /v1/boards/docs/members/writer", { body });
    await refused("POST /v1/me/leave", { token: seat.token, body });
  }
  await refused("POST /v1/boards", { body: "[".repeat(1_000_000) });
});

test("of a field that is there twice the last counts, and the others are not read", async () => {
  const { send, refused } = await start();
  const line = "PATCH /v1/boards/docs";
  await refused(line, { body: '{"title":"a","title":1}' });
  const { status, text } = await send(line, { body: '{"title":1,"title":"b"}' });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ title: "b" });
});
