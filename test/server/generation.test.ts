import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generationOf } from "../../src/db/accounts.ts";
import { startWorld } from "../support/servers/server-in-process.ts";

const form = /^gen_[0-9A-HJKMNP-TV-Z]{26}$/;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A path for a database, and what a start on it says of its generation. */
function newDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "service-generation-"));
  folders.push(folder);
  const file = join(folder, "service.db");
  return {
    file,
    async startedGeneration() {
      const world = await startWorld({ file });
      const { generation } = await world.as().call("getInfo");
      expect(world.db.read(generationOf)).toBe(generation);
      world.stop();
      return generation;
    },
  };
}

test("a server has one generation from its first start on, and every server its own", async () => {
  const { startedGeneration } = newDatabase();
  const first = await startedGeneration();
  expect(first).toMatch(form);
  expect(await startedGeneration()).toBe(first);
  expect(await newDatabase().startedGeneration()).not.toBe(first);
});

test("a start that finds no generation, as in a database of an older version, makes one and keeps it", async () => {
  const { file, startedGeneration } = newDatabase();
  const first = await startedGeneration();
  const sql = new Database(file);
  expect(sql.query("UPDATE server SET generation = NULL").run().changes).toBe(1);
  sql.close();
  const second = await startedGeneration();
  expect(second).toMatch(form);
  expect(second).not.toBe(first);
  expect(await startedGeneration()).toBe(second);
});
