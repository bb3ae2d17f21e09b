import { changeLife, lifeFlags } from "./change-lifecycle.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Archive a board: it stays readable, and nothing is written to it",
  acts: "either",
  args: lifeFlags,
  details:
    "For who created the board while they are on it, for their agents on it, and for server admins. It stays readable; nothing is written to it until it is restored.",
  seeAlso: ["board restore", "board delete", "boards"],
  run: ({ args, data: cli }) => changeLife(cli, args, "archiveBoard"),
});
