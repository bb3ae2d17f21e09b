import { ApiError, type Given } from "../../client/client.ts";
import type { Actor, Agent, Person } from "../acting/acting.ts";
import {
  recipientsOf,
  waitingFor,
  warningOf,
  type Recipient,
  type Unread,
} from "./delivery-outcomes.ts";
import { readSeat } from "../local-daemon/read-seat.ts";
import type { Nudge } from "../../client/machine/shown-nudges.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import type { Api } from "../connection/api.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { isUncertain } from "../connection/unanswered.ts";
import type { Args } from "../frame/command.ts";
import { againWithRetry, hinted, type Typed } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";
import { unknownMentions, type UnknownMention } from "./unknown-mentions.ts";
import { postNudges } from "./work-nudges.ts";

export type PostBody = NonNullable<Given<"postMessage">["body"]>;

/** The flag of commands that post a message. */
export const retryFlag = {
  retry: {
    type: "string",
    valueHint: "KEY",
    description: "Repeats a post whose answer was lost: the key that its error named.",
  },
} as const satisfies Args;

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
  /** The names with an `@` that nobody has; not there when all of them mention somebody. */
  readonly unknown_mentions?: readonly UnknownMention[];
}

/** What is posted where, and under which key if it repeats a post whose answer was lost. */
interface Posting {
  readonly board: string;
  readonly body: PostBody;
  readonly retry?: string | undefined;
}

/** Posts on a board, and gives the outcome at each recipient; to an agent also what waits for it. */
export const post = (cli: Cli, actor: Actor, posting: Posting, typed: Typed): Promise<Posted> =>
  actor.kind === "agent"
    ? postAsAgent(cli, actor, posting, typed)
    : postAsPerson(cli, actor, posting);

/** Posts as an agent, and meanwhile reads the facts for the answer. Reads them again if the post had to start the server. */
async function postAsAgent(
  cli: Cli,
  agent: Agent,
  posting: Posting,
  typed: Typed,
): Promise<Posted> {
  const { api, board, seat } = agent;
  const asked = adviceFor(cli, agent);
  const message = await stored(cli, api, { ...posting, board });
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
    ...unknownIn(message, members),
  };
}

/** The board's members, and the agent's inbox with its tasks; each null if it cannot be read. */
async function adviceFor(cli: Cli, { server, seat, board }: Agent) {
  const api = quietApi(cli, server, seat.token);
  const reading = await readSeat(cli, seat);
  const [members, waiting] = await Promise.all([
    api.call("listMembers", { params: { board } }).catch(() => null),
    waitingFor(api, board, reading.received).catch(() => null),
  ]);
  reading.close();
  return { members: members?.members ?? null, waiting };
}

/** Posts as the person, and gives the same facts; nothing waits for a person here, and no reminder is due. */
async function postAsPerson(cli: Cli, { api }: Person, posting: Posting): Promise<Posted> {
  const params = { board: posting.board };
  const message = await stored(cli, api, posting);
  const answer = await api.call("listMembers", { params }).catch(() => null);
  const sender = answer?.members.find(({ name }) => name === message.from.name);
  const recipients = answer && recipientsOf(message, answer.members, sender?.id ?? "");
  const warning = recipients && warningOf(message, recipients);
  const unknown = unknownIn(message, answer?.members ?? null);
  return { message, unread: null, recipients, warning, nudges: [], ...unknown };
}

/** Posts, and asks once more under the same key if the answer was lost. If that one is lost too, the error tells the key. */
async function stored(cli: Cli, api: Api, { board, body, retry }: Posting): Promise<Message> {
  const key = retry ?? crypto.randomUUID();
  const attempt = () =>
    api.call("postMessage", { params: { board }, body }, { idempotencyKey: key });
  const isOpen = (error: unknown) => isUncertain(api.attempts(key), error);
  try {
    return await attempt().catch((error: unknown) => {
      if (!isOpen(error) || api.attempts(key).count > 1) throw error;
      return attempt();
    });
  } catch (error) {
    if (isOpen(error)) throw uncertain(cli, error as Error, key);
    throw retry === undefined ? error : withRetryHint(error, board);
  }
}

const uncertain = (cli: Cli, { message }: Error, key: string): LocalError =>
  new LocalError(
    "uncertain",
    `${message.replace(/\.$/, "")}. The message may have been stored all the same.`,
    `With this key, and the same text, it is stored once however often you repeat it: ${againWithRetry(cli, key)}`,
    { retry: key },
  );

/** A key that came with something else: what it stands for has arrived, so this is posted by no repeat of it. */
function withRetryHint(error: unknown, board: string): unknown {
  if (!(error instanceof ApiError) || error.code !== "idempotency_conflict") return error;
  return error.withHint(
    `A message with this key has arrived, with another text or other flags. ${hinted({ words: "read", flags: { board, limit: 5 } })} shows what is there; what is new is sent without \`--retry\`.`,
  );
}

/** The mentions of nobody; nothing if there are none, or if the members are not known. */
function unknownIn(message: Message, members: Parameters<typeof unknownMentions>[1] | null) {
  const unknown = members && unknownMentions(message, members);
  return unknown?.length ? { unknown_mentions: unknown } : {};
}
