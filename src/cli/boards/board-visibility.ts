import { changeVisibility, visibilityDetails, visibilityFlags } from "./change-visibility.ts";
import { defineCommand } from "../frame/command.ts";

export default defineCommand({
  summary: "Open a board to everybody, or make it private",
  acts: "person",
  args: {
    visibility: {
      type: "positional",
      options: ["open", "private"],
      description:
        "open: everybody on the server may find and join it. private: only people who are added.",
    },
    ...visibilityFlags,
  },
  details: visibilityDetails,
  examples: [["board visibility private --board docs", "As `board private --board docs`."]],
  seeAlso: ["board open", "board private", "board agents-add-people"],
  run: ({ args, data: cli }) => changeVisibility(cli, args, args.visibility),
});
