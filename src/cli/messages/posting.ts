import type { Given } from "../../client/client.ts";
import type { Agent } from "../acting/acting.ts";
import { recipientsOf, waitingFor, warningOf, type Recipient } from "./delivery-outcomes.ts";
import type { Api } from "../connection/api.ts";
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

/** Posts as an agent, and meanwhile reads the facts for the answer. Reads them again if the post had to start the server. */
export async function postAsAgent(cli: Cli, agent: Agent, body: PostBody, typed: Typed) {
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

/** Posts as the person, and gives the outcome at each recipient. */
export async function postAsPerson(
  api: Api,
  board: string,
  body: PostBody,
): Promise<{ message: Message; recipients: Recipient[] | null }> {
  const params = { board };
  const message = await api.call("postMessage", { params, body });
  const answer = await api.call("listMembers", { params }).catch(() => null);
  const sender = answer?.members.find(({ name }) => name === message.from.name);
  const recipients = answer && recipientsOf(message, answer.members, sender?.id ?? "");
  return { message, recipients };
}
