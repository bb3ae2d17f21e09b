import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import { asAgentOrPerson, asPerson, type Agent, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { admitHere } from "../frame/who-may-run.ts";
import { inSession } from "../../client/machine/harness.ts";
import { formOf } from "./read-form.ts";
import { agentPlaceOf, type Place } from "../acting/place-of.ts";
import { hintedWith, typedWith } from "../frame/suggest.ts";

export default defineCommand({
  // `--mark-read` with `--as` is not admitted as a person's command: `formOf` refuses it.
  summary: "Read messages, threads and receipts",
  acts: (args) => {
    if (args.markRead && args.as === undefined) return "person";
    return args.receipts === undefined ? "agent" : "either";
  },
  inSubagent: true,
  args: {
    after: { type: "string", valueHint: "SEQ", description: "The oldest after this number." },
    before: { type: "string", valueHint: "SEQ", description: "The newest before this number." },
    around: {
      type: "string",
      valueHint: "SEQ",
      description: "Those on both sides of this number.",
    },
    from: { type: "string", valueHint: "NAME", description: "Only this member's." },
    role: { type: "string", description: "Only those of senders with this role." },
    toMe: { type: "boolean", description: "Only those addressed to the agent." },
    task: { type: "string", valueHint: "ID", description: "Only those about this task." },
    limit: {
      type: "string",
      valueHint: "N",
      description: `At most so many (${listedUnlessSaid}; up to ${mostListed}).`,
    },
    markdown: { type: "boolean", description: "As Markdown." },
    thread: { type: "string", valueHint: "MSG", description: "A message's whole thread." },
    threads: { type: "boolean", description: "The threads, newest reply first." },
    receipts: { type: "string", valueHint: "MSG", description: "Whom a message has reached." },
    markRead: {
      type: "boolean",
      description: "As yourself: your oldest unread, and mark them read.",
    },
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "The newest messages of the agent's board, oldest first. Reading moves no read position, but for `--mark-read`. A person follows a board with `watch`.",
  examples: [
    ["read --limit 10", "The ten newest."],
    ["read --after 40", "On from message 40."],
    ["read --task DOC-7", "What was said about a task."],
    ["read --thread 6", "The thread of message 6."],
    ["read --mark-read --board docs", "What you have not read, as yourself."],
  ],
  seeAlso: ["inbox", "watch", "replies"],
  async run({ args, data: cli }) {
    const form = formOf(args, cli.json);
    if (form === "mark-read") {
      // The command takes `--as` for its other forms, so the frame has not asked whether an agent is selected.
      admitHere(cli, { acts: "person" }, {});
      const { markRead } = await import("./reading/mark-read.ts");
      return markRead(cli, await asPerson(cli, args), args, typedWith(cli, args));
    }
    if (form === "receipts") {
      const { readReceipts } = await import("./reading/receipts.ts");
      return readReceipts(cli, await asAgentOrPerson(cli, args), args);
    }
    const { actor: agent, typed } = await readingPlace(cli, args, args.task);
    if (form === "thread") {
      const { readThread } = await import("./reading/thread.ts");
      return readThread(agent, args.thread!, typed);
    }
    if (form === "threads") {
      const { readThreads } = await import("./reading/threads.ts");
      return readThreads(agent, args, typed);
    }
    const { readPage } = await import("./reading/page.ts");
    return readPage(agent, args, typed);
  },
});

/** Where the agent reads. Whoever has selected none is probably a person, and learns which command shows a board to one. */
async function readingPlace(
  cli: Cli,
  flags: AgentFlags,
  task: string | undefined,
): Promise<Place<Agent>> {
  try {
    return await agentPlaceOf(cli, flags, { task });
  } catch (error) {
    if (!(error instanceof LocalError && error.code === "agent_not_selected")) throw error;
    const { code, message, hint, details } = error;
    const watch = `As yourself: ${hintedWith({ board: flags.board })("watch")}.`;
    throw inSession(cli.env) ? error : new LocalError(code, message, `${hint} ${watch}`, details);
  }
}
