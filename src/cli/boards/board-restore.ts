import { changeLife, lifeFlags } from "./change-lifecycle.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Restore an archived board",
  acts: "either",
  args: lifeFlags,
  details:
    "For whoever may archive it. Join codes that have not ended work again. `boards --archived` lists what can be restored.",
  seeAlso: ["boards", "board archive"],
  run: ({ args, data: cli }) => changeLife(cli, args, "restoreBoard"),
});
