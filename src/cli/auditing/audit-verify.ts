import { asAgent, asPerson, boardOf } from "../acting/acting.ts";
import { audit } from "./audit.ts";
import { auditText, restoreQuestion } from "./audit-text.ts";
import { keepHeads, keptHeads } from "../../client/machine/audit-heads.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { typedWith } from "../frame/suggest.ts";
import { confirmed, mayAsk } from "../frame/questions.ts";
import { usageError } from "../../client/machine/local-error.ts";

export default defineCommand({
  summary: "Check that a board's log was not changed",
  acts: "neutral",
  inSubagent: true,
  args: {
    acceptRestore: {
      type: "boolean",
      description: "Accept that the server was restored from a backup.",
    },
    ...actorFlags,
  },
  details:
    "Reads a board's whole log and checks its chain of hashes: that no event was changed, taken out or put in. This machine keeps the hashes of up to 64 events, so that the next check notices a log that was written anew. When the log lost its end because the server was restored from a backup, a terminal asks once whether you accept that; elsewhere `--accept-restore` accepts it. Then this machine forgets the hashes of what was lost. Exits with code 3 if the check fails or the restore is not accepted. Acts as you unless `--as` is given.",
  examples: [
    ["audit verify --board docs", "Check the log of docs."],
    ["audit verify --board docs --accept-restore", "Check it after a restore that you know of."],
  ],
  seeAlso: ["boards", "api"],
  async run({ args, data: cli }) {
    if (args.as && args.server)
      throw usageError("An agent acts on the server of its seat.", "Leave out `--server`.");
    const actor = args.as ? asAgent(cli, args) : await asPerson(cli, args);
    const { server } = actor;
    const board = await boardOf(cli, actor, args);
    const found = await audit(actor.api, board, (id) => keptHeads(cli, server, id));
    const { board_id, chain, first_bad, pinned_head, restored, verified } = found;
    const isAccepted =
      restored !== null &&
      (args.acceptRestore || (mayAsk(cli) && confirmed(cli, restoreQuestion(found, restored))));
    const isOk = !first_bad && (!restored || isAccepted);
    if (isOk && board_id && verified) keepHeads(cli, server, board_id, verified, found.before);
    const { seq, hash, checked, withheld } = chain;
    return {
      json: {
        board,
        ok: isOk,
        events_checked: checked,
        data_withheld: withheld,
        head: { seq, hash },
        first_bad,
        pinned_head,
        ...(restored && {
          restored: { generation: restored.generation, agreed_seq: restored.agreed_seq },
        }),
      },
      text: auditText(typedWith(cli, args), { board, url: server.url, isAccepted }, found),
      exitCode: isOk ? 0 : 3,
    };
  },
});
