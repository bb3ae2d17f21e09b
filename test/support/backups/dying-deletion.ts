/** Deletes a backup, and is killed once that one has lost its name: `FOLDER NAME`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { folderPlace } from "../../../src/backup/folder-place.ts";

const [where = "", name = ""] = process.argv.slice(2);
const look = () => {
  if (!existsSync(join(where, name))) process.kill(process.pid, "SIGKILL");
  setImmediate(look);
};
look();
await folderPlace(where).delete(name);
