import { changeVisibility, visibilityDetails, visibilityFlags } from "./change-visibility.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Open a board to everybody on the server, or make it private",
  acts: "person",
  args: {
    visibility: {
      type: "positional",
      options: ["open", "private"],
      description: "Who may find and join it: everybody on the server, or nobody uninvited.",
    },
    ...visibilityFlags,
  },
  details: visibilityDetails,
  examples: [["board visibility private --board docs", "The same as `board private`."]],
  seeAlso: ["board open", "board private", "board agents-add-people"],
  run: ({ args, data: cli }) => changeVisibility(cli, args, args.visibility),
});
