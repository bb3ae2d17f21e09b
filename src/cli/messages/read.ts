import { listedUnlessSaid, mostListed } from "../../contract/limits.ts";
import { asAgentOrPerson, asPerson } from "../acting/acting.ts";
import { speakingPlace } from "../acting/speaker.ts";
import { defineCommand, speakerFlags } from "../frame/command.ts";
import { admitHere } from "../frame/who-may-run.ts";
import { formOf } from "./read-form.ts";
import { boardIn } from "./message-reference.ts";
import { typedWith } from "../frame/suggest.ts";

export default defineCommand({
  // `--mark-read` with `--as` is not admitted as a person's command: `formOf` refuses it.
  summary: "Read messages, threads and receipts",
  acts: (args) => {
    if (args.markRead && args.as === undefined) return "person";
    return args.receipts === undefined ? "speaker" : "either";
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
    toMe: { type: "boolean", description: "Only those addressed to whoever reads." },
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
    ...speakerFlags,
  },
  details:
    "The newest messages of the board, oldest first. Reading moves no read position, but for `--mark-read`. `watch` goes on until it is stopped.",
  examples: [
    ["read --limit 10", "The ten newest."],
    ["read --after 40", "On from message 40."],
    ["read --task DOC-7", "What was said about a task."],
    ["read --thread 6", "The thread of message 6."],
    ["read --me --board docs", "The newest, as yourself."],
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
    const { actor, typed } = await speakingPlace(cli, args, {
      task: args.task,
      board: boardIn(args.thread),
    });
    if (form === "thread") {
      const { readThread } = await import("./reading/thread.ts");
      return readThread(actor, args.thread!, typed);
    }
    if (form === "threads") {
      const { readThreads } = await import("./reading/threads.ts");
      return readThreads(actor, args, typed);
    }
    const { readPage } = await import("./reading/page.ts");
    return readPage(actor, args, typed);
  },
});
