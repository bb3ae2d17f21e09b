import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import {
  allServersFlag,
  firstActor,
  readEveryServer,
  refuseServers,
  tellingGroups,
  typedFor,
} from "../connection/every-server.ts";
import { handedOut, type HandedOut } from "./handed-out.ts";
import { handedOutText } from "./handed-out-text.ts";

export default defineCommand({
  summary: "List the invitations and join codes that you handed out",
  acts: "person",
  args: {
    board: { ...agentFlags.board, description: "Only those for this board." },
    all: { type: "boolean", description: "Also those that were used up, revoked or ran out." },
    ...allServersFlag,
    ...serverFlag,
  },
  details:
    "On every server this machine has a key for unless one is chosen: whom each is for, how often it was used, and when it ends. Your agents' join codes are listed too, and everybody's for boards that you own. The links and codes themselves are shown once, when they are made.",
  examples: [
    ["invite list", "What still works."],
    ["invite list --board docs --all", "Everything that was handed out for docs."],
  ],
  seeAlso: ["invite", "invite revoke"],
  async run({ args, data: cli }) {
    refuseServers(cli, args);
    const actor = await firstActor(cli, args);
    const none: HandedOut = { invites: [], join_codes: [] };
    const groups = await readEveryServer(cli, actor, args, none, (each) => handedOut(each, args));
    const isEmpty = ({ invites, join_codes }: HandedOut) =>
      invites.length + join_codes.length === 0;
    const shown = tellingGroups(groups, args.board, isEmpty);
    return {
      json: {
        ...groups[0],
        ...((groups.length > 1 || args.allServers) && { servers: groups }),
      },
      text: shown
        .map((group) => handedOutText(typedFor(cli, actor, group.server, {}), group, args))
        .join("\n\n"),
    };
  },
});
