import { changeVisibility, visibilityDetails, visibilityFlags } from "./change-visibility.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Open a board to everybody on the server",
  acts: "person",
  args: visibilityFlags,
  details: visibilityDetails,
  seeAlso: ["board private", "board visibility"],
  run: ({ args, data: cli }) => changeVisibility(cli, args, "open"),
});
