import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import { readManifest } from "../../../src/backup/manifest.ts";
import { restoreBackup } from "../../../src/server/offline/restore.ts";
import { restoreFolder } from "../../../src/server/restore-folder.ts";
import { docs, eventsOf } from "../boards/docs-board.ts";
import { brokenAt } from "../log-chain.ts";
import { homes, type Promised } from "./recorder.ts";
import { serverOn } from "./server-on.ts";

/**
 * What a machine lost that a backup was restored on: a line for each. If the restore had not said that it is done, the same
 * one must do it now.
 */
export async function lossesOfRestore(
  root: string,
  promises: readonly Promised[],
): Promise<string[]> {
  const home = join(root, homes.next);
  const data = join(home, "data");
  const restored = promises.filter((promise) => promise.what === "restore");
  if (restored.length === 0 && !existsSync(home)) return [];
  const complaints: string[] = [];
  const from = join(root, homes.server, "data/saved/first");
  const manifest = readManifest(from);
  try {
    const isWhole = existsSync(join(data, "service.db")) && !existsSync(restoreFolder(data));
    if (restored.length === 0 && !isWhole)
      await restoreBackup({
        mode: "local",
        from,
        manifest,
        name: "first",
        dataFolder: data,
        keys: "keep",
        keyFile: join(home, "config/owner-token"),
      });
    const server = await serverOn(home, complaints);
    try {
      const token = readFileSync(join(home, "config/owner-token"), "utf8").trim();
      const owner = createClient({ baseUrl: server.url, token });
      const events = await eventsOf(owner);
      if (brokenAt(events)) complaints.push("the restored log is broken");
      const { id: board } = await owner.call("getBoard", docs);
      const before = manifest.boards.find(({ id }) => id === board)!.seq;
      if (events.length <= before) complaints.push("the restored log is too short");
      const { files } = await owner.call("listFiles", docs);
      for (const { name } of files) {
        const params = { ...docs.params, file: name, version: "1" };
        await new Response((await owner.download({ params })).body).bytes();
      }
      for (const id of restored.flatMap(({ posts }) => posts))
        if (!events.some(({ data }) => data?.["message_id"] === id))
          complaints.push(`lost after a restore: ${id}`);
    } finally {
      await server.stop();
    }
  } catch (error) {
    complaints.push(`the restored server: ${String(error)}`);
  }
  return complaints;
}
