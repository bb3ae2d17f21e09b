import { mostListed, mostSearchWords } from "../../contract/limits.ts";
import { actorOnBoard } from "../acting/acting.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { filterFlags, filterQuery, seqOf } from "../messages/message-filter.ts";
import { foundText } from "./found-text.ts";
import { commandLine, typedWith, words } from "../frame/suggest.ts";
import { integer } from "../frame/values.ts";

export default defineCommand({
  summary: "Search a board's messages, tasks and files",
  acts: "either",
  inSubagent: true,
  args: {
    words: {
      type: "positional",
      multiple: true,
      valueHint: "WORD",
      description: 'What to look for: words, "phrases", and beginnings such as deplo*.',
    },
    kind: {
      type: "string",
      options: ["message", "task", "file"],
      description: "Only messages, only tasks, or only files.",
    },
    from: { type: "string", valueHint: "NAME", description: "Only this member's." },
    role: { type: "string", description: "Only those of members with this role." },
    toMe: { type: "boolean", description: "Only messages addressed to you." },
    task: { type: "string", valueHint: "ID", description: "Only this task, and what is about it." },
    after: { type: "string", valueHint: "SEQ", description: "Only those after this number." },
    before: { type: "string", valueHint: "SEQ", description: "Only those before this number." },
    limit: {
      type: "string",
      valueHint: "N",
      description: `At most so many (20; up to ${mostListed}).`,
    },
    cursor: { type: "string", description: "Goes on where an answer ended." },
    ...actorFlags,
  },
  details: `Finds the messages, tasks and files of a board that have every word, in any case and with or without accents, the best first, and of equally good ones the newest. A task is found by what it says now and dated where that last changed; its reference finds it first. A file is found by its name. Write a phrase in double quotes, with single quotes around them for the shell. A search has at most ${mostSearchWords} words, with those of phrases. An agent finds only what it may read.`,
  examples: [
    ["search deploy error", "What has both words."],
    ["search login --kind task", "Tasks alone."],
    [`search '"release notes"' --from rex`, "A phrase, in the messages of one member."],
    ["search 'deplo*' --after 40", "Words that begin like this, after message 40."],
  ],
  seeAlso: ["read", "task list"],
  async run({ args, data: cli }) {
    const q = args.words.join(" ");
    if (q.trim() === "")
      throw usageError("There is nothing to search for.", "Such as `service search deploy`.");
    const { kind, after, before, cursor } = args;
    const query = {
      q,
      limit: integer("--limit", args.limit ?? "20", 1, mostListed),
      ...(kind && { kind }),
      ...filterQuery(args),
      ...(after && { after: seqOf("--after", after) }),
      ...(before && { before: seqOf("--before", before) }),
      ...(cursor && { cursor }),
    };
    const { api, board } = await actorOnBoard(cli, args);
    const found = await api.call("searchBoard", { params: { board }, query });
    const flags = {
      kind: kind || undefined,
      ...filterFlags(args),
      after: query.after,
      before: query.before,
      limit: args.limit ? query.limit : undefined,
    };
    const again = commandLine({ words: words`search ${args.words}`, flags });
    const typed = typedWith(cli, args);
    return {
      json: { board, query: q, hits: found.hits, next: found.next, complete: found.complete },
      text: foundText(found, (more) => typed(`${again}${more}`)),
    };
  },
});
