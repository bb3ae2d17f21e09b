import type { Given } from "../../client/client.ts";
import type { Actor, Agent, Person } from "../acting/acting.ts";
import {
  recipientsOf,
  waitingFor,
  warningOf,
  type Recipient,
  type Unread,
} from "./delivery-outcomes.ts";
import type { Nudge } from "../../client/machine/shown-nudges.ts";
import type { Cli } from "../frame/cli.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";
import { postNudges } from "./work-nudges.ts";

export type PostBody = NonNullable<Given<"postMessage">["body"]>;

/** The tasks that the flags name; undefined lets the server decide. */
export function aboutOf({
  task,
  noTask,
}: {
  readonly task?: string | undefined;
  readonly noTask: boolean;
}): string[] | undefined {
  if (task !== undefined && noTask)
    throw usageError("`--task` and `--no-task` do not go together.", "Leave one of them out.");
  return task !== undefined ? [task] : noTask ? [] : undefined;
}

/** A message that was posted, and what a command says about it. */
interface Posted {
  readonly message: Message;
  readonly unread: Unread | null;
  readonly recipients: readonly Recipient[] | null;
  readonly damped?: string[];
  readonly warning: ReturnType<typeof warningOf>;
  readonly nudges: readonly Nudge[];
}

/** Posts on a board, and gives the outcome at each recipient; to an agent also what waits for it. */
export const post = (
  cli: Cli,
  actor: Actor,
  board: string,
  body: PostBody,
  typed: Typed,
): Promise<Posted> =>
  actor.kind === "agent" ? postAsAgent(cli, actor, body, typed) : postAsPerson(actor, board, body);

/** Posts as an agent, and meanwhile reads the facts for the answer. Reads them again if the post had to start the server. */
async function postAsAgent(cli: Cli, agent: Agent, body: PostBody, typed: Typed): Promise<Posted> {
  const { api, board, seat } = agent;
  const asked = adviceFor(cli, agent);
  const message = await api.call("postMessage", { params: { board }, body });
  const early = await asked;
  const { members, waiting } = early.members ? early : await adviceFor(cli, agent);
  const recipients = members && recipientsOf(message, members, seat.member_id);
  const notWoken = members?.filter(({ id }) => message.damped?.includes(id)) ?? [];
  const nudged = { message, recipients, work: waiting?.work };
  return {
    message,
    unread: waiting?.unread ?? null,
    recipients,
    ...(notWoken.length > 0 && { damped: notWoken.map(({ name }) => name) }),
    warning: recipients && warningOf(message, recipients),
    nudges: await postNudges(cli, agent, nudged, typed),
  };
}

/** The board's members, and the agent's inbox with its tasks; each null if it cannot be read. */
async function adviceFor(cli: Cli, { server, seat, board }: Agent) {
  const api = quietApi(cli, server, seat.token);
  const [members, waiting] = await Promise.all([
    api.call("listMembers", { params: { board } }).catch(() => null),
    waitingFor(api, board).catch(() => null),
  ]);
  return { members: members?.members ?? null, waiting };
}

/** Posts as the person, and gives the same facts; nothing waits for a person here, and no reminder is due. */
async function postAsPerson({ api }: Person, board: string, body: PostBody): Promise<Posted> {
  const params = { board };
  const message = await api.call("postMessage", { params, body });
  const answer = await api.call("listMembers", { params }).catch(() => null);
  const sender = answer?.members.find(({ name }) => name === message.from.name);
  const recipients = answer && recipientsOf(message, answer.members, sender?.id ?? "");
  const warning = recipients && warningOf(message, recipients);
  return { message, unread: null, recipients, warning, nudges: [] };
}
