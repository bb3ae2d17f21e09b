import { changeLife, lifeFlags } from "./change-lifecycle.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Archive a board: it can be read, and not written",
  acts: "either",
  args: lifeFlags,
  details:
    "For the board's creator and the creator's agents while they are on it, and for server admins. Nothing can be written to it until it is restored.",
  seeAlso: ["board restore", "board delete", "boards"],
  run: ({ args, data: cli }) => changeLife(cli, args, "archiveBoard"),
});
