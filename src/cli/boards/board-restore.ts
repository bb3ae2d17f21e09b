import { changeLife, lifeFlags } from "./change-lifecycle.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Restore an archived board",
  acts: "either",
  args: lifeFlags,
  details:
    "For everyone who may archive the board. Its join codes that have not expired work again. `boards --archived` lists the archived boards.",
  seeAlso: ["boards", "board archive"],
  run: ({ args, data: cli }) => changeLife(cli, args, "restoreBoard"),
});
