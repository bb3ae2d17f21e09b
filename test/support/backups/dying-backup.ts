/** Takes a backup of a stopped server, and is killed once a part of its files is copied: `DATA WHERE NAME`. */
import { folderPlace } from "../../../src/backup/folder-place.ts";
import { backUpStopped } from "../../../src/server/offline/offline.ts";
import { program } from "./backed-up-server.ts";

const [dataFolder = "", where = "", name = ""] = process.argv.slice(2);
await backUpStopped({
  dataFolder,
  place: folderPlace(where),
  name,
  program,
  version: "0.0.0-test",
  onBytes: () => process.kill(process.pid, "SIGKILL"),
});
