import { isOlder } from "../../../src/client/build-info.ts";
import { describe, expect, test } from "bun:test";
import { foldersOf } from "../../../src/client/machine/folders.ts";
import { loginHandle, normalised } from "../../../src/client/machine/identity.ts";
import { parseJoin } from "../../../src/cli/joining/join-line.ts";
import { nearest } from "../../../src/cli/frame/nearest.ts";
import { inputOf } from "../../../src/cli/about/operation-input.ts";
import { thisProcess } from "../../../src/cli/frame/this-process.ts";
import { duration, integer } from "../../../src/cli/frame/values.ts";
import { operationNamed, type OperationName } from "../../../src/contract/index.ts";

const { system } = thisProcess();

describe("the base folders", () => {
  test("lie below SERVICE_HOME", () => {
    expect(foldersOf({ env: { SERVICE_HOME: "/h", XDG_DATA_HOME: "/d" }, system })).toEqual({
      config: "/h/config",
      data: "/h/data",
      state: "/h/state",
    });
  });
  test("else where the XDG variables say, if they are absolute", () => {
    expect(
      foldersOf({ env: { HOME: "/home/ada", XDG_DATA_HOME: "/d", XDG_STATE_HOME: "s" }, system }),
    ).toEqual({
      config: "/home/ada/.config/service",
      data: "/d/service",
      state: "/home/ada/.local/state/service",
    });
  });
});

describe("a join line", () => {
  const line = (server: string) =>
    parseJoin(`Join service board docs on ${server} as writer with code 7qk-m2x. Then greet.`);
  test.each([
    ["localhost", "http://127.0.0.1:7400"],
    ["localhost:7411", "http://127.0.0.1:7411"],
    ["[::1]:7411", "http://127.0.0.1:7411"],
    ["board.example.org", "https://board.example.org"],
    ["board.example.org:8443", "https://board.example.org:8443"],
    ["board.example.org:443", "https://board.example.org"],
  ])("on %s means %s", (server, url) => {
    expect(line(server)).toEqual({ board: "docs", url, role: "writer", code: "7QK-M2X" });
  });
  test.each(["https://x.org", "x.org/path", "a@x.org", "x.org?y", "x.org:99999"])(
    "on %s is refused",
    (server) => {
      expect(() => line(server)).toThrow("neither a join line nor a code");
    },
  );
  test("may be its code alone", () => {
    expect(parseJoin(" 7qk-m2x\n")).toEqual({ code: "7QK-M2X" });
    expect(() => parseJoin("7qk-m2x and more")).toThrow();
  });
});

test("durations and numbers are read within their bounds", () => {
  expect(duration("--ttl", "90m", "1m", "168h")).toBe(5400);
  expect(duration("--ttl", "1h30m", "1m", "168h")).toBe(5400);
  expect(duration("--expires", "90d", "1h", "365d")).toBe(7_776_000);
  for (const text of ["", "5", "1x", "-1h", "30s", "169h"])
    expect(() => duration("--ttl", text, "1m", "168h"), text).toThrow("--ttl");
  expect(integer("--limit", "200", 1, 200)).toBe(200);
  for (const text of ["", "0", "201", "1e2", "1.5", "-1"])
    expect(() => integer("--limit", text, 1, 200), text).toThrow("--limit");
});

test("a name is made into the form of a handle", () => {
  expect(normalised("Ada Lovelace!")).toBe("ada-lovelace");
  expect(normalised(`--${"a".repeat(39)}-b`)).toBe("a".repeat(39));
  expect(loginHandle({ env: { USER: "Ada.L" }, system })).toBe("ada-l");
  expect(loginHandle({ env: { USER: "漢" }, system })).toBe("human");
});

test("a build is older by version, then by the time of its commit", () => {
  expect(isOlder({ version: "0.9.0" }, { version: "0.10.0" })).toBe(true);
  expect(isOlder({ version: "0.10.0" }, { version: "0.9.0" })).toBe(false);
  const at = (commit_time?: string) => ({ version: "1.0.0", ...(commit_time && { commit_time }) });
  expect(isOlder(at("2026-01-01"), at("2026-01-02"))).toBe(true);
  expect(isOlder(at("2026-01-02"), at("2026-01-01"))).toBe(false);
  expect(isOlder(at(), at("2026-01-01"))).toBe(true);
  expect(isOlder(at("2026-01-01"), at())).toBe(false);
  expect(isOlder(at(), at())).toBe(false);
  expect(isOlder({ version: "" }, { version: "0.0.1" })).toBe(true);
  expect(isOlder({ version: "0.0.1" }, { version: "unknown" })).toBe(false);
});

test("the nearest word is guessed, a far one is not", () => {
  const known = ["boards", "board new", "whoami", "keys"];
  expect(nearest("bords", known)).toBe("boards");
  expect(nearest("board nwe", known)).toBe("board new");
  expect(nearest("who", known)).toBe("whoami");
  expect(nearest("xyzzy", known)).toBeNull();
});

test("words become the path, the query and the body of an operation", () => {
  const read = (name: OperationName, words: string[], body?: string, board?: string) =>
    inputOf(operationNamed(name), words, body, board);
  expect(read("postMessage", ["board=docs", "body=7", "urgent=true", 'to=["@a"]'])).toEqual({
    params: { board: "docs" },
    query: {},
    body: { body: "7", urgent: true, to: ["@a"] },
  });
  expect(read("listMessages", ["board=docs", "limit=3"])).toEqual({
    params: { board: "docs" },
    query: { limit: "3" },
  });
  expect(read("join", ["code=123"], '{"name":"ada"}').body).toEqual({ name: "ada", code: "123" });
  expect(read("removeFromServer", ["handle=ada", "dry_run=true"])).toEqual({
    params: { handle: "ada" },
    query: { dry_run: "true" },
  });
  expect(read("leaveBoard", ["sure=true"], undefined, "docs").query).toEqual({ sure: "true" });
  expect(read("getBoard", [], undefined, "docs").params).toEqual({ board: "docs" });
  expect(read("getBoard", ["board=rules"], undefined, "docs").params).toEqual({ board: "rules" });
  expect(() => read("postMessage", ["body=x"])).toThrow("board is missing");
  expect(() => read("postMessage", ["board"])).toThrow("name=value");
});
