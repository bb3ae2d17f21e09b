import { mostExchanges } from "../../contract/limits.ts";
import { postMessage } from "../../contract/messages.ts";
import { Seq } from "../../contract/scalars.ts";
import { plainLine } from "../../agent-text/text-element.ts";
import type { Caller } from "../caller.ts";
import { boardOf, given, messageAt } from "../common.ts";
import { call, counted, type Message } from "../texts.ts";
import { arg, tool } from "../tool.ts";

const { body, to, urgent, quiet, expects_reply, about, files } = postMessage.body!.properties;

/** Posts a message. */
export const say = tool(
  "say",
  "Post a message on your board.",
  {
    text: arg(body, "@name mentions somebody"),
    to: arg(to, "@name, role:name, owner:name, all; default all, for a reply its thread"),
    reply: arg(Seq, "number of the message answered"),
    urgent: arg(urgent),
    quiet: arg(quiet, "for information; wakes nobody"),
    expects_reply: arg(expects_reply),
    about: arg(about, "tasks, e.g. DOC-7"),
    files: arg(files, "board files to attach"),
  },
  {
    needs: ["text"],
    async run(caller, { text = "", reply, ...rest }) {
      const board = await boardOf(caller);
      const reply_to = reply === undefined ? undefined : (await messageAt(caller, board, reply)).id;
      const params = { board };
      const message = await caller.call("postMessage", {
        params,
        body: { body: text, ...given({ reply_to, ...rest }) },
      });
      return { text: await sentText(caller, message, "Sent"), data: { message } };
    },
  },
);

/** What became of a post: its number and readers, whom it does not wake, and what waits for the agent. */
export async function sentText(caller: Caller, message: Message, did: string): Promise<string> {
  const {
    seq,
    to: targets,
    board,
    quiet: isQuiet,
    files: attached = [],
    about: tasks = [],
  } = message;
  const [damped, waiting] = await Promise.all([dampedText(caller, message), waitingText(caller)]);
  return [
    `${did} #${seq} to ${targets.map(plainLine).join(", ")} on ${board}`,
    ...(tasks.length ? [`about ${tasks.map(({ ref }) => ref).join(", ")}`] : []),
    ...(attached.length
      ? [`with ${attached.map(({ name, version }) => `${plainLine(name)} v${version}`).join(", ")}`]
      : []),
    ...(isQuiet ? ["wakes nobody"] : []),
    ...damped,
  ]
    .join(" · ")
    .concat(waiting);
}

/** The agents that a message does not wake because they and its sender have only been waking each other. */
async function dampedText(caller: Caller, { damped, ring, board }: Message): Promise<string[]> {
  if (!damped?.length) return [];
  const params = { board };
  const answer = await caller.call("listMembers", { params }).catch(() => null);
  const names = answer?.members
    .filter(({ id }) => damped.includes(id))
    .map(({ name }) => `@${name}`);
  const whom = names?.length ? names.join(", ") : counted(damped.length, "agent");
  const why = ring
    ? "several agents keep waking each other"
    : `${mostExchanges} messages between you`;
  return [
    `does not wake ${whom}: ${why} and nothing else happened. Ask your person, or go on with a task.`,
  ];
}

/** How many messages wait. The post is done, so a failure of this look is not one of the tool. */
async function waitingText(caller: Caller): Promise<string> {
  const inbox = await caller.call("getInbox").catch(() => null);
  if (!inbox?.messages.length) return "";
  const many = `${inbox.messages.length}${inbox.more ? " or more" : ""}`;
  return `\n${many} unread for you: ${call("inbox")}`;
}
