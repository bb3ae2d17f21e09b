/** A server on the folder of a home, with backups in a place. The process that copies them says no word while the server lives. */
import { join } from "node:path";
import { folderPlace } from "../../../src/backup/folder-place.ts";
import { startServer } from "../../../src/server/serve.ts";

const [home, where] = process.argv.slice(2) as [string, string];
const { url } = await startServer({
  mode: "local",
  dataFolder: join(home, "data"),
  hostname: "127.0.0.1",
  port: 0,
  keyFile: join(home, "key"),
  firstHandle: "ana",
  keyName: "laptop",
  version: "0.0.0-test",
  program: ["sh", "-c", "cat >/dev/null"],
  backups: { to: folderPlace(where) },
  log() {},
});
console.log(url);
