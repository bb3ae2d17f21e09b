import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { readManifest } from "../../../src/backup/manifest.ts";
import { checkStorage } from "../../../src/server/offline/check-storage.ts";
import { restoreBackup } from "../../../src/server/offline/restore.ts";
import {
  filePath,
  postTo,
  put,
  startBackedUp,
  startOn,
} from "../../support/backups/backed-up-server.ts";
import { sized } from "../../support/tries.ts";

const rounds = sized(10, 200);
/** Pauses after each write, in milliseconds. Otherwise the last of many backups would hold hundreds of thousands of messages and files. */
const pauseMs = { posts: sized(0, 10), files: sized(0, 200) };
/** How long the test may take, in milliseconds. */
const limitMs = sized(120_000, 3_600_000);

test(
  "every backup that is taken while others post, upload and remove has all that was acknowledged before it began",
  async () => {
    const { client, home, where, take } = await startBackedUp();
    const posted: string[] = [];
    const uploaded: string[] = [];
    const ending = new AbortController();
    const posting = (async () => {
      for (let next = 0; !ending.signal.aborted; next++) {
        await postTo(client, `message ${next}`);
        posted.push(`message ${next}`);
        await Bun.sleep(pauseMs.posts);
      }
    })();
    const uploading = (async () => {
      for (let next = 0; !ending.signal.aborted; next++) {
        const text = `file ${next}`;
        await put(client, `f-${next}.txt`, text);
        uploaded.push(text);
        await Bun.sleep(pauseMs.files);
        if (next % 3 !== 2) continue;
        const params = { board: "docs", file: `f-${next - 1}.txt` };
        await client.call("removeFile", { params });
      }
    })();
    const before: { messages: number; files: string[] }[] = [];
    for (let round = 0; round < rounds; round++) {
      before.push({ messages: posted.length, files: [...uploaded] });
      await take(`b-${round}`);
    }
    ending.abort();
    await Promise.all([posting, uploading]);
    for (const [round, had] of before.entries()) {
      const from = join(where, `b-${round}`);
      const dataFolder = join(home, `restored-${round}`);
      const keyFile = join(home, `key-${round}`);
      const manifest = readManifest(from);
      await restoreBackup({
        mode: "local",
        from,
        manifest,
        name: `b-${round}`,
        dataFolder,
        keys: "keep",
        keyFile,
      });
      const server = await startOn(dataFolder, home);
      const token = (await Bun.file(keyFile).text()).trim();
      const restored = createClient({ baseUrl: server.url, token });
      const there = await allMessages(restored);
      // Nothing is missing in between, and nothing is there that nobody wrote.
      expect(there).toEqual(posted.slice(0, there.length));
      expect(there.length).toBeGreaterThanOrEqual(had.messages);
      await server.stop();
      for (const text of had.files)
        expect(readFileSync(filePath(dataFolder, text), "utf8")).toBe(text);
      expect(await checkStorage(dataFolder)).toMatchObject({
        damage: [],
        differences: [],
        missing: [],
        corrupt: [],
      });
      rmSync(dataFolder, { recursive: true });
    }
    console.log(`${rounds} backups; ${posted.length} messages and ${uploaded.length} files`);
    expect(posted.length).toBeGreaterThan(rounds);
  },
  limitMs,
);

async function allMessages(client: ReturnType<typeof createClient>): Promise<string[]> {
  const found: string[] = [];
  for (let after = 0; ;) {
    const { messages } = await client.call("listMessages", {
      params: { board: "docs" },
      query: { after, limit: 200 },
    });
    if (messages.length === 0) return found;
    found.push(...messages.map(({ body }) => body));
    after = messages.at(-1)!.seq;
  }
}
