import { asAgent, asPerson, boardOf } from "../acting/acting.ts";
import { audit, type Audit } from "./audit.ts";
import { pinHead, pinnedHead } from "../../client/machine/audit-heads.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { header } from "../messages/message-text.ts";
import { green, red } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";

export default defineCommand({
  summary: "Check that a board's log was not changed",
  acts: "neutral",
  inSubagent: true,
  args: actorFlags,
  details:
    "Reads a board's whole log and checks its chain of hashes: that no event was changed, taken out or put in. This machine keeps the hash of the newest event, so that the next check notices a log that was written anew. Exits with code 3 if the check fails. Acts as you unless `--as` is given.",
  examples: [["audit verify --board docs", "Check the log of docs."]],
  seeAlso: ["boards", "api"],
  async run({ args, data: cli }) {
    if (args.as && args.server)
      throw usageError("An agent acts on the server of its seat.", "Leave out `--server`.");
    const actor = args.as ? asAgent(cli, args) : await asPerson(cli, args);
    const board = await boardOf(cli, actor, args);
    const found = await audit(actor.api, board, (id) => pinnedHead(cli, actor.server, id));
    const { board_id, chain, first_bad, pinned_head } = found;
    const { seq, hash, checked, withheld } = chain;
    if (board_id && !first_bad) pinHead(cli, actor.server, board_id, chain);
    return {
      json: {
        board,
        ok: !first_bad,
        events_checked: checked,
        data_withheld: withheld,
        head: { seq, hash },
        first_bad,
        pinned_head,
      },
      text: auditText(board, actor.server.url, found),
      exitCode: first_bad ? 3 : 0,
    };
  },
});

const reasons = {
  seq_gap: "an event is missing there",
  prev_hash_mismatch: "it does not follow from the event before it",
  hash_mismatch: "the event was changed after it was recorded",
  data_hash_mismatch: "the event's content was changed after it was recorded",
  history_rewritten: "the log no longer holds the event that this machine verified there",
};

function auditText(board: string, url: string, { chain, first_bad, pinned_head }: Audit): string {
  const title = header(`${board} at ${url}`, counted(chain.checked, "event", "events"));
  const withheld = chain.withheld
    ? [
        `The content of ${counted(chain.withheld, "event is", "events are")} not for this agent; the chain covers it all the same.`,
      ]
    : [];
  if (first_bad)
    return [
      title,
      `${red("The log does not hold")} at #${first_bad.seq}: ${reasons[first_bad.reason]} (${first_bad.reason}).`,
      ...withheld,
      `Up to #${chain.seq} it holds: ${chain.hash}`,
      "Ask whoever runs the server, and compare with others on the board what they verified.",
    ].join("\n");
  return [
    title,
    `${green("The log holds")}: nothing was changed, taken out or put in.`,
    ...withheld,
    `Head #${chain.seq} ${chain.hash}`,
    pinned_head
      ? `It goes on from #${pinned_head.seq}, which this machine verified before.`
      : "This machine keeps the head and compares it the next time.",
  ].join("\n");
}
