import { changeVisibility, visibilityDetails, visibilityFlags } from "./change-visibility.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Make a board private",
  acts: "person",
  args: visibilityFlags,
  details: visibilityDetails,
  seeAlso: ["board open", "board visibility"],
  run: ({ args, data: cli }) => changeVisibility(cli, args, "private"),
});
