import type { Given } from "../../client/client.ts";
import { asAgent, type Agent } from "../acting.ts";
import { recipientsOf, waitingFor, warningOf } from "../advice.ts";
import type { Cli } from "../cli.ts";
import { agentFlags, defineCommand } from "../command.ts";
import { usageError } from "../errors.ts";
import { messageId } from "../message-reference.ts";
import { quietApi } from "../quiet-api.ts";
import type { Typed } from "../render/delivery-text.ts";
import { sentText } from "../render/sent.ts";
import { waitedText } from "../render/waited.ts";
import { saidText } from "../said-text.ts";
import { typedWith } from "../typed-again.ts";
import { waitSeconds } from "../waiting.ts";
import { postNudges } from "../work-nudges.ts";

export default defineCommand({
  acts: "agent",
  args: {
    text: {
      type: "positional",
      required: false,
      multiple: true,
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
    urgent: { type: "boolean", description: "Comes first in the next delivery." },
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
    ...agentFlags,
  },
  details:
    "Goes to everyone unless `--to` says otherwise; a reply goes to those in its thread. It returns once the message is stored, and says what it does at its recipients.",
  examples: [
    ['say "The draft is ready" --to role:reviewer', "Address a role."],
    ['say "Which one?" --to @rex --wait-reply 120', "Ask, and wait for the answer."],
    ['say "Fixed" --reply 6', "Reply to message 6."],
    ['say "It is slow" --task DOC-7', "About a task."],
    ["say < notes.md", "A text from a file."],
  ],
  seeAlso: ["inbox", "read", "replies"],
  async run({ args, data: cli }) {
    const seconds = args.waitReply === undefined ? 0 : waitSeconds("--wait-reply", args.waitReply);
    const agent = asAgent(cli, args);
    const typed = typedWith(cli, args);
    const sent = await send(cli, agent, await bodyOf(agent, args, seconds > 0), typed);
    if (seconds === 0) return { json: sent, text: sentText(sent, typed) };
    if (!cli.json) await cli.print(sentText(sent, typed));
    const { replyTo } = await import("../wait-reply.ts");
    const waited = await replyTo(cli, agent, sent.message, seconds);
    return { json: { ...sent, ...waited }, text: waitedText(waited, sent.message, seconds, typed) };
  },
});

type Body = NonNullable<Given<"postMessage">["body"]>;
interface Said {
  readonly text: readonly string[];
  readonly to: readonly string[];
  readonly reply?: string | undefined;
  readonly urgent: boolean;
  readonly expectReply: boolean;
  readonly task?: string | undefined;
  readonly noTask: boolean;
}

async function bodyOf(agent: Agent, args: Said, waits: boolean): Promise<Body> {
  const about = aboutOf(args);
  const body = await saidText(args.text);
  const to = targetsOf(args.to);
  const reply_to = args.reply && (await messageId(agent, args.reply));
  return {
    body,
    ...(to.length && { to }),
    ...(reply_to && { reply_to }),
    ...(args.urgent && { urgent: true }),
    ...((args.expectReply || waits) && { expects_reply: true }),
    ...(about && { about }),
  };
}

/** What the flags say that it is about; undefined where the server works it out. */
function aboutOf({ task, noTask }: Said): string[] | undefined {
  if (task !== undefined && noTask)
    throw usageError("`--task` and `--no-task` do not go together.", "Leave one of them out.");
  return task !== undefined ? [task] : noTask ? [] : undefined;
}

/** The targets of `--to`. One that names nobody is refused: without targets the message would go to everyone. */
function targetsOf(lists: readonly string[]): string[] {
  const targets = lists.flatMap((list) => list.split(",").map((one) => one.trim()));
  if (!targets.includes("")) return targets;
  throw usageError("A target of `--to` is empty.", "Such as `--to @rex,role:reviewer`.");
}

/** Posts, and asks meanwhile for what the sender is told with it; again if the server had to be started for the post. */
async function send(cli: Cli, agent: Agent, body: Body, typed: Typed) {
  const { api, board, seat } = agent;
  const asked = adviceFor(cli, agent);
  const message = await api.call("postMessage", { params: { board }, body });
  const early = await asked;
  const { members, waiting } = early.members ? early : await adviceFor(cli, agent);
  const recipients = members && recipientsOf(message, members, seat.member_id);
  return {
    message,
    unread: waiting?.unread ?? null,
    recipients,
    warning: recipients && warningOf(message, recipients),
    nudges: await postNudges(cli, agent, message, waiting?.work, typed),
  };
}

/** The board's members, and the agent's waiting messages with what it is on, each null when it cannot be known. */
async function adviceFor(cli: Cli, { server, seat, board }: Agent) {
  const api = quietApi(cli, server, seat.token);
  const [members, waiting] = await Promise.all([
    api.call("listMembers", { params: { board } }).catch(() => null),
    waitingFor(api, board).catch(() => null),
  ]);
  return { members: members?.members ?? null, waiting };
}
