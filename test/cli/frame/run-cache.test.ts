import { describe, expect, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { emptyRunCache } from "../../../src/client/machine/run-cache.ts";
import { watchOpenings } from "../../support/commands/opened-files.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { untilTrue } from "../../support/wait-until.ts";

const machine = newMachine();
const { home } = machine;
const writer = ["--as", "writer"];
/** What is asked of the server. */
const asked: string[] = [];
const server = await clockedServer();

await machine.ok(["login", server.url], { stdin: server.world.admin.token });
await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
for (const title of ["One", "Two", "Three", "Four"])
  await machine.ok(["task", "new", title, "--no-start", ...writer]);
server.between = (request, answer) => {
  asked.push(`${request.method} ${new URL(request.url).pathname}`);
  return answer();
};

/** What a command asks of the server, sorted. */
async function requestsOf(...words: string[]): Promise<string[]> {
  asked.length = 0;
  await machine.ok(words);
  return asked.toSorted();
}

const info = "GET /v1/info";
const inbox = "GET /v1/me/inbox";
const members = "GET /v1/boards/docs/members";
const board = "GET /v1/boards/docs";

describe("a command asks the server each thing once", () => {
  test("task start", async () => {
    const starts = (number: number) => `POST /v1/boards/docs/tasks/${number}/start`;
    expect(await requestsOf("task", "start", "1", ...writer)).toEqual(
      [info, members, board, starts(1)].sort(),
    );
    for (const number of [2, 3]) await machine.ok(["task", "start", `${number}`, ...writer]);
    // Now the agent was reminded as often as it is at all, and no board is asked about it.
    expect(await requestsOf("task", "start", "4", ...writer)).toEqual(
      [info, members, starts(4)].sort(),
    );
  });

  test("say", async () => {
    expect(await requestsOf("say", "Hello", ...writer)).toEqual(
      // Of its current task it is asked how far behind what was said about it is.
      [inbox, members, "GET /v1/boards/docs/tasks/DOC-4", "POST /v1/boards/docs/messages"].sort(),
    );
  });

  test("inbox", async () => {
    expect(await requestsOf("inbox", ...writer)).toEqual([inbox]);
  });

  test("working, task list and boards", async () => {
    expect(await requestsOf("working", "Reading", ...writer)).toEqual([
      info,
      "PUT /v1/boards/docs/members/writer/line",
    ]);
    expect(await requestsOf("task", "list", ...writer)).toContain(info);
    expect(asked.filter((line) => line === info)).toHaveLength(1);
    expect(await requestsOf("boards")).toEqual(["GET /v1/boards", members, "GET /v1/me"].sort());
  });

  test("task show and file put", async () => {
    for (const words of [
      ["task", "show", "DOC-1", ...writer],
      ["file", "put", "plan.md", ...writer],
    ]) {
      writeFileSync(join(home, "plan.md"), "The plan\n");
      const requests = await requestsOf(...words);
      expect([words, requests.length]).toEqual([words, new Set(requests).size]);
    }
  });
});

test.skipIf(process.platform !== "linux")(
  "a command reads each file of this machine once",
  async () => {
    const other = "http://127.0.0.1:9";
    const local = newMachine();
    await local.ok(["pair", "--board", "docs", "--name", "writer"]);
    await local.ok(["task", "new", "One", "--no-start", ...writer]);
    const watch = watchOpenings(["config", "data"].map((name) => join(local.home, name)));
    for (const words of [
      ["task", "start", "1", ...writer],
      ["say", "Hello", ...writer],
      ["inbox", ...writer],
      ["status", ...writer],
      ["boards"],
      ["whoami"],
      ["servers"],
      ["task", "new", "Five", "--board", "docs"],
      ["keys", "--server", other],
    ]) {
      watch.taken();
      await local.run(words);
      const read = watch.taken().filter((name) => kept.includes(name));
      expect([words, read]).toEqual([words, [...new Set(read)]]);
      expect(read.length).toBeGreaterThan(0);
    }
    watch.end();
  },
);
const kept = ["servers.json", "credentials.json", "owner-token", "server.addr", "server-id"];

test("what a run changes it knows, what others change it learns after a while", () => {
  const path = join(home, "learned.json");
  const file = { path, holds: (content: unknown): content is number[] => Array.isArray(content) };
  const [one, other] = [emptyRunCache(), emptyRunCache()];
  expect(one.json(file)).toBeNull();
  one.change(file, [], (numbers) => [...numbers, 1]);
  expect(one.json(file)).toEqual([1]);
  other.change(file, [], (numbers) => [...numbers, 2]);
  expect(one.json(file)).toEqual([1]);
  one.change(file, [], (numbers) => [...numbers, 3]);
  expect(one.json(file)).toEqual([1, 2, 3]);
  other.change(file, [], () => []);
  one.forgetFiles();
  expect(one.json(file)).toEqual([]);
});

test("a file that nobody changed is not read again, and one that was replaced is", async () => {
  const path = join(home, "kept.json");
  let readings = 0;
  const file = {
    path,
    holds(content: unknown): content is string {
      readings++;
      return typeof content === "string";
    },
  };
  const learned = emptyRunCache();
  const replaceBy = (text: string) => {
    writeFileSync(`${path}.new`, JSON.stringify(text));
    renameSync(`${path}.new`, path);
  };
  const readNow = () => {
    learned.forgetFiles();
    return learned.json(file);
  };
  replaceBy("one");
  // A young file may change again within the same time, so it is read each time.
  await untilTrue(async () => {
    const before = readings;
    expect(readNow()).toBe("one");
    return readings === before;
  }, "an old file is not read again");
  replaceBy("two");
  expect(readNow()).toBe("two");
  rmSync(path);
  expect(readNow()).toBeNull();
});

test("what cannot be found out is asked again", async () => {
  const learned = emptyRunCache();
  const answers = [null, new Error("away"), "here", "elsewhere"];
  const ask = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  expect(await learned.asked("it", ask)).toBeNull();
  await expect(learned.asked("it", ask)).rejects.toThrow("away");
  expect(await learned.asked("it", ask)).toBe("here");
  expect(await learned.asked("it", ask)).toBe("here");
});
