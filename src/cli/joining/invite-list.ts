import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { allServersFlag, listEveryServer } from "../acting/every-server.ts";
import { handedOut, type HandedOut } from "./handed-out.ts";
import { handedOutText } from "./handed-out-text.ts";

export default defineCommand({
  summary: "List your invitations and join codes",
  acts: "person",
  args: {
    board: { ...agentFlags.board, description: "Only for this board." },
    all: { type: "boolean", description: "Also what was used up, revoked or has expired." },
    ...allServersFlag,
    ...serverFlag,
  },
  details:
    "Shows whom each is for, how often it was used, and when it ends, on every server that this machine has a key for, or on the server that you choose. It includes join codes that your agents made, and everybody's join codes for boards that you own. The links and codes themselves are shown once, when they are made.",
  examples: [
    ["invite list", "What still works."],
    ["invite list --board docs --all", "Everything that was handed out for docs."],
  ],
  seeAlso: ["invite", "invite revoke"],
  run: ({ args, data: cli }) =>
    listEveryServer<HandedOut>(cli, args, {
      none: { invites: [], join_codes: [] },
      read: (actor) => handedOut(actor, args),
      isEmpty: ({ invites, join_codes }) => invites.length + join_codes.length === 0,
      text: (typed, group) => handedOutText(typed, group, args),
    }),
});
