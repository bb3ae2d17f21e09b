import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operationNamed, operationNames } from "../../../src/contract/index.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, run } = machine;
const docs = ["--board", "docs"];

beforeAll(async () => {
  await ok(["pair", "writer-reviewer", ...docs]);
});

const refused = async (...words: string[]) => {
  const ran = await run(["api", ...words, "--json"]);
  const { error } = ran.json();
  return { exit: ran.code, ...error };
};

describe("a call by method and path", () => {
  test("answers as the operation of that name", async () => {
    const named = await json(["api", "getMe"]);
    expect(await json(["api", "GET", "/v1/me"])).toEqual(named);
    expect(await json(["api", "get", "/v1/me"])).toEqual(named);
    const agent = await json(["api", "GET", "/v1/me", "--as", "writer"]);
    expect(agent).toMatchObject({ kind: "agent", name: "writer" });
  });

  test("takes fields, a body from standard input or a file, and a query in the path", async () => {
    const made = await json([
      "api",
      "POST",
      "/v1/boards",
      "--field",
      "name=one",
      "--field",
      "title=1",
    ]);
    expect(made).toMatchObject({ name: "one", title: "1" });
    const piped = await json(["api", "POST", "/v1/boards", "--input", "-"], {
      stdin: '{"name":"two"}',
    });
    expect(piped.name).toBe("two");
    writeFileSync(join(machine.home, "three.json"), '{"name":"three"}');
    const file = join(machine.home, "three.json");
    expect((await json(["api", "POST", "/v1/boards", "--input", file])).name).toBe("three");
    for (const body of ["a", "b"])
      await ok(["api", "POST", "/v1/boards/docs/messages", `body=${body}`, "--as", "writer"]);
    const path = "/v1/boards/docs/messages?newest=true&limit=1";
    const { messages } = await json(["api", "GET", path, "--as", "writer"]);
    expect(messages.map(({ body }: { body: string }) => body)).toEqual(["b"]);
  });

  test("finds every operation by its own path", async () => {
    const { rawCall } = await import("../../../src/cli/about/raw-call.ts");
    for (const name of operationNames) {
      const { method, path } = operationNamed(name);
      expect(rawCall(method, path.replace(/:(\w+)/g, "$1_1")).name).toBe(name);
    }
  });

  test.each([
    ["another server", "https://evil.example/v1/me"],
    ["another server, without its scheme", "//evil.example/v1/me"],
    ["another server, with a backslash", "/\\evil.example/v1/me"],
    ["no path", "v1/me"],
  ])("is refused for %s, before anything is sent", async (_, address) => {
    const { exit, code, message, hint } = await refused("GET", address);
    expect([exit, code, message]).toEqual([
      2,
      "invalid_request",
      `${address} is no path of this API.`,
    ]);
    expect(hint).toContain("`--server` chooses the server");
  });

  test("is refused for what is no operation", async () => {
    for (const [method, path] of [
      ["GET", "/v1/nothing"],
      ["DELETE", "/v1/me"],
      ["GET", "/docs"],
      ["GET", "/v1/boards/../me"],
    ] as const)
      expect(await refused(method, path)).toMatchObject({
        exit: 2,
        message: `There is no operation ${method} ${path}.`,
      });
    expect(await refused("GET")).toMatchObject({ exit: 2, message: "PATH is missing." });
    expect(await refused("GET", "/v1/boards/%zz")).toMatchObject({ exit: 2 });
    expect(await refused("POST", "/v1/boards", "--body", "{}", "--input", "-")).toMatchObject({
      exit: 2,
    });
  });

  test("prints the server's refusal, and exits with 1", async () => {
    expect(await refused("GET", "/v1/boards/nothing")).toMatchObject({
      exit: 1,
      code: "board_not_found",
    });
  });
});

test("the board of a path may come from --board, and from the agent's seat", async () => {
  expect((await json(["api", "getBoard", ...docs])).name).toBe("docs");
  expect((await json(["api", "getBoard", "--as", "writer"])).name).toBe("docs");
});

test("a parameter of an operation without a body is never lost on the way", async () => {
  const { hint, code } = await refused("getMe", "sure=true");
  expect([code, hint]).toEqual(["invalid_request", "`service help api getMe` lists its fields."]);
});

describe("help explains every operation", () => {
  test("in three spellings", async () => {
    const { stdout } = await ok(["help", "api", "postMessage"]);
    expect(stdout).toStartWith("postMessage: Post a message.\nPOST /v1/boards/{board}/messages\n");
    for (const part of [
      "Path:",
      "Body:",
      "expects_reply",
      "reply_has_no_recipients",
      "Answer 201:",
    ])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain("[[");
    expect((await ok(["api", "postMessage", "--help"])).stdout).toBe(stdout);
    expect((await ok(["api", "postMessage", "board=x", "-h"])).stdout).toBe(stdout);
  });

  test.each(operationNames)("%s", async (name) => {
    const { method, path, summary } = await json(["help", "api", name]);
    const op = operationNamed(name);
    expect([method, summary]).toEqual([op.method, op.summary]);
    expect((await ok(["help", "api", name])).stdout).toContain(`${method} ${path}\n`);
  });

  test("and not what is none", async () => {
    expect((await run(["help", "api", "nothing"])).code).toBe(2);
  });
});
