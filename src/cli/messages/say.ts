import { ApiError } from "../../client/client.ts";
import type { Speaker } from "../acting/acting.ts";
import { textOfOption } from "./option-text.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, speakerFlags } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { boardIn, messageId } from "./message-reference.ts";
import { aboutOf, post, retryFlag, type PostBody } from "./posting.ts";
import { sentText } from "./sent-text.ts";
import { readerOf } from "./delivery-text.ts";
import { waitedText } from "./waited-text.ts";
import { saidText } from "../frame/text-input.ts";
import type { Place } from "../acting/place-of.ts";
import { speakingPlace } from "../acting/speaker.ts";
import { integer } from "../frame/values.ts";
import { waitSeconds } from "../connection/waiting.ts";

export default defineCommand({
  summary: "Post a message",
  acts: "speaker",
  args: {
    text: {
      type: "positional",
      required: false,
      quoted: true,
      description: "The message, in quotes; `-` or nothing reads standard input.",
    },
    to: {
      type: "string",
      multiple: true,
      valueHint: "TARGET",
      description: "Whom to address: all, @NAME, role:ROLE, owner:HANDLE; several with commas.",
    },
    reply: { type: "string", valueHint: "MSG", description: "The message it replies to." },
    option: {
      type: "string",
      valueHint: "K",
      description: "Answers the ask that `--reply` names with its option K.",
    },
    urgent: { type: "boolean", description: "Comes first in the next delivery." },
    fyi: {
      type: "boolean",
      description: "Wakes nobody: it comes with the next turn. For what needs no answer.",
    },
    expectReply: { type: "boolean", description: "Ask for a reply." },
    waitReply: {
      type: "string",
      valueHint: "SECONDS",
      description: "Ask for a reply and wait for it, at most an hour.",
    },
    task: {
      type: "string",
      valueHint: "ID",
      description: "The task it is about (else its thread's, or your current one).",
    },
    noTask: { type: "boolean", description: "About no task but those that the text names." },
    attach: {
      type: "string",
      multiple: true,
      valueHint: "FILE",
      description: "Write this file to the board, as `file put`, and attach it; up to eight.",
    },
    ...retryFlag,
    ...speakerFlags,
  },
  details:
    "Goes to everyone unless `--to` says otherwise; a reply goes to those in its thread. It returns once the message is stored, and says what it does at its recipients. In a terminal you speak yourself where this machine has no agent of yours, and with `--me` anywhere.",
  examples: [
    ['say "The draft is ready" --to role:reviewer', "Address a role."],
    ['say "Which one?" --to @rex --wait-reply 120', "Ask, and wait for the answer."],
    ['say "Fixed" --reply 6', "Reply to message 6."],
    ['say "Merged, thanks" --reply 8 --fyi', "For what needs no answer."],
    ['say "It is slow" --task DOC-7', "About a task."],
    ["say --reply 12 --option 2", "Answer ask 12 with its second option."],
    ['say "The plan, please review" --attach plan.md', "With a file."],
    ['say "Good morning" --me --board docs', "As yourself."],
    ["say < notes.md", "A text from a file."],
  ],
  seeAlso: ["ask", "inbox", "read", "replies"],
  async run({ args, data: cli }) {
    const seconds = args.waitReply === undefined ? 0 : waitSeconds("--wait-reply", args.waitReply);
    // Refuses flags that do not go together before any request for the task.
    aboutOf(args);
    requireQuiet(args);
    const place = await speakingPlace(cli, args, { task: args.task, board: boardIn(args.reply) });
    const { actor, board, typed } = place;
    const said = await bodyOf(cli, actor, args, seconds > 0);
    const files = await attached(place, args.attach);
    const body = { ...said, ...(files && { files }) };
    const sent = await post(cli, actor, { board, body, retry: args.retry }, typed).catch(
      (error: unknown) => {
        throw withTargetHint(error, said.to);
      },
    );
    if (seconds === 0) return { json: sent, text: sentText(sent, typed) };
    if (!cli.json) await cli.print(sentText(sent, typed));
    const { replyTo } = await import("./wait-reply.ts");
    const waited = await replyTo(cli, actor, sent.message, seconds);
    const reader = actor.kind === "agent" ? readerOf(cli, actor, args) : null;
    const text = waitedText(waited, sent.message, seconds, reader, typed);
    return { json: { ...sent, ...waited }, text };
  },
});

/** The file versions that the message attaches, or null without files. */
async function attached(place: Place, paths: readonly string[]) {
  if (paths.length === 0) return null;
  const { attach } = await import("../files/attach.ts");
  return attach(place, paths);
}

/** Refuses `--fyi` with a flag that wants something. */
function requireQuiet(args: Readonly<Record<"fyi" | "urgent" | "expectReply", boolean>> & Waits) {
  const wanted = [
    ["--wait-reply", args.waitReply !== undefined],
    ["--expect-reply", args.expectReply],
    ["--urgent", args.urgent],
    ["--option", args.option !== undefined],
  ].find(([, given]) => given);
  if (args.fyi && wanted)
    throw usageError(
      `\`--fyi\` and \`${wanted[0]}\` do not go together.`,
      "A message for information wakes nobody and wants no answer. Leave one of them out.",
    );
}
interface Waits {
  readonly waitReply?: string | undefined;
  readonly option?: string | undefined;
}

interface Said {
  readonly text?: string | undefined;
  readonly to: readonly string[];
  readonly reply?: string | undefined;
  readonly option?: string | undefined;
  readonly urgent: boolean;
  readonly fyi: boolean;
  readonly expectReply: boolean;
  readonly task?: string | undefined;
  readonly noTask: boolean;
}

async function bodyOf(cli: Cli, speaker: Speaker, args: Said, waits: boolean): Promise<PostBody> {
  const about = aboutOf(args);
  const option = optionOf(args);
  const to = targetsOf(args.to);
  // Without a text the option's text is the answer, so we do not read standard input.
  const said =
    option !== undefined && args.text === undefined ? null : await saidText(cli.stdin, args.text);
  const reply_to = args.reply && (await messageId(speaker, args.reply));
  const body = said ?? (await textOfOption(speaker, reply_to!, option!));
  return {
    body,
    ...(to.length && { to }),
    ...(reply_to && { reply_to }),
    ...(args.urgent && { urgent: true }),
    ...(args.fyi && { quiet: true }),
    ...((args.expectReply || waits) && { expects_reply: true }),
    ...(about && { about }),
    ...(option !== undefined && { answer: { option } }),
  };
}

function optionOf({ option, reply }: Said): number | undefined {
  if (option === undefined) return undefined;
  const number = integer("--option", option, 1, 4);
  if (reply !== undefined) return number;
  throw usageError("`--option` answers an ask.", "Name the ask: `--reply MSG`.");
}

/** The targets of `--to`. Refuses an empty `--to`, because a message without targets goes to everyone. */
function targetsOf(lists: readonly string[]): string[] {
  const targets = lists.flatMap((list) => list.split(",").map((one) => one.trim()));
  if (!targets.includes("")) return targets;
  throw usageError("A target of `--to` is empty.", "Such as `--to @rex,role:reviewer`.");
}

/** A name without its `@` is no target: the hint has it with the `@`. */
function withTargetHint(error: unknown, targets: readonly string[] = []): unknown {
  if (!(error instanceof ApiError) || error.code !== "invalid_target") return error;
  const bare = targets.find((one) => one !== "all" && /^[a-z0-9][a-z0-9-]*$/.test(one));
  if (bare === undefined) return error;
  return error.withHint(
    /^every(one|body)$/.test(bare)
      ? "Write `--to all`, or leave `--to` out."
      : `Write \`--to @${bare}\` for a member, or \`--to role:${bare}\` for a role.`,
  );
}
