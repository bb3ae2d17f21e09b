import type { OutputOf } from "../../contract/index.ts";
import { ApiError } from "../../client/client.ts";
import { asPerson } from "../acting/acting.ts";
import { defineCommand, serverFlag, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { counted, someOf } from "../terminal/table.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Remove a person from the server for good",
  acts: "person",
  args: {
    person: { type: "positional", valueHint: "@HANDLE", description: "The person's handle." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "For the server's admins. Ends the person's keys, browsers and agents at once and takes them off every board, for good; what they wrote stays. Shows what will end, and asks.",
  examples: [["people remove @ada", "Ada is no longer on the server."]],
  seeAlso: ["people", "board remove", "people role"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const params = { handle: handle(args.person) };
    const planned = await api
      .call("removeFromServer", { params, query: { dry_run: true } })
      .catch((error: unknown) => {
        throw withBoards(error);
      });
    const { person } = planned;
    const question = `Removing @${person.handle} from ${server.url} ends for good ${endings(planned)}. Remove them?`;
    if (!args.yes && !confirmed(cli, question))
      return { json: { server, removal: planned }, text: "Nothing was changed." };
    const removal = await api.call("removeFromServer", { params });
    return {
      json: { server, removal },
      text: `@${person.handle} is no longer on ${server.url}: ended for good ${endings(removal)}.`,
    };
  },
});

type Removal = OutputOf<"removeFromServer">;

/** What a removal ends, as part of a sentence. */
function endings(removal: Removal): string {
  const { boards_left: boards, owners_passed: passed, unreachable_boards: lost } = removal;
  const parts = [
    [removal.keys_revoked, "key", "keys"],
    [removal.browser_sessions_ended, "browser session", "browser sessions"],
    [removal.agents_removed, "agent", "agents"],
  ] as const;
  const ended = parts.flatMap(([count, one, many]) => (count ? [counted(count, one, many)] : []));
  const all = [...ended, `the membership of ${counted(boards, "board", "boards")}`];
  return [
    new Intl.ListFormat("en").format(all),
    ...(passed ? [`${counted(passed, "of them passes", "of them pass")} to another owner`] : []),
    ...(lost.length ? [`nobody is left on ${someOf(lost).join(", ")}`] : []),
  ].join("; ");
}

/** Names the boards that keep a person on the server in the hint: text output does not show details. */
function withBoards(error: unknown): unknown {
  const boards = error instanceof ApiError ? error.details?.["boards"] : undefined;
  if (!(error instanceof ApiError) || !Array.isArray(boards)) return error;
  return error.withHint(
    `They are ${someOf(boards as string[]).join(", ")}. Add a member to each, or archive and delete it: \`service board archive --board ID\``,
  );
}
