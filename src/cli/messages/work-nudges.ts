import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import { askNudges } from "./ask-nudges.ts";
import type { Recipient } from "./delivery-outcomes.ts";
import { fyiNudge } from "./fyi-nudge.ts";
import type { Agent } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import {
  mayBeDue,
  nudgesFor,
  type Candidate,
  type Nudge,
  type Rate,
} from "../../client/machine/shown-nudges.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Message, Work } from "./message-types.ts";
import { notPickedUp } from "../../agent-text/work-text.ts";

type Task = Output<Operations["getTask"]>;

const halfHour = 30 * 60;
/** A reminder comes after so many messages in a row without a task. */
const manyWithoutTask = 3;
/** A task's progress note is out of date after so many messages, once it is old enough. */
const messagesBehind = 8;
const oldMs = 15 * 60 * 1000;

/** The nudges of an inbox and of `status`: tasks without an owner, if the agent has no current task. */
export function inboxNudges(
  cli: Cli,
  { seat }: Pick<Agent, "seat">,
  work: Work | undefined,
  typed: Typed,
  rate: Rate = { everySeconds: halfHour },
): Nudge[] {
  const text = work ? notPickedUp(work, typed) : null;
  if (!work || text === null) return [];
  return nudgesFor(cli, { memberId: seat.member_id, on: work.nudges }, [
    { code: "tasks_not_picked_up", text, rate },
  ]);
}

/**
 * The nudges for the sender of a message. `work` was read about when the message was posted. If it is close to a
 * threshold, the server is asked again. A nudge whose facts cannot be read is left out.
 */
export async function postNudges(
  cli: Cli,
  agent: Agent,
  { message, recipients, work }: Posted,
  typed: Typed,
): Promise<Nudge[]> {
  if (!work?.nudges) return [];
  const current = work.current_task;
  const on = { memberId: agent.seat.member_id, on: work.nudges };
  // An ask does not count as talk without a task.
  if (message.ask) return nudgesFor(cli, on, askNudges(message, typed));
  const candidates = current
    ? message.about?.some(({ id }) => id === current.id)
      ? await staleStands(cli, agent, current, typed)
      : []
    : message.about?.length
      ? []
      : await withoutTask(cli, agent, work, typed);
  const ownWords = [...fyiNudge(message, recipients ?? [], typed), ...askNudges(message, typed)];
  return nudgesFor(cli, on, [...candidates, ...ownWords]);
}

/** A message that was just posted, and what is known about its recipients and its sender. */
interface Posted {
  readonly message: Message;
  readonly recipients: readonly Recipient[] | null;
  readonly work: Work | undefined;
}

async function withoutTask(
  cli: Cli,
  { server, seat }: Agent,
  { posts_without_task }: Work,
  typed: Typed,
): Promise<Candidate[]> {
  const rate = { everySeconds: halfHour };
  const mayCome = { code: "no_task_posts", text: "", rate };
  if (posts_without_task < manyWithoutTask - 1 || !mayBeDue(cli, seat.member_id, [mayCome]))
    return [];
  const api = quietApi(cli, server, seat.token);
  const inbox = await api.call("getInbox", { query: { limit: 1 } }).catch(() => null);
  const count = inbox?.work.posts_without_task ?? 0;
  if (count < manyWithoutTask) return [];
  const oldest = inbox!.work.oldest_open;
  const remedy = oldest
    ? `Take one: ${typed(`task start ${oldest.ref}`)}`
    : `Open one: ${typed("task new TITLE")}`;
  const text = `${count} messages in a row are about no task. ${remedy}`;
  return [{ code: "no_task_posts", text, rate }];
}

async function staleStands(
  cli: Cli,
  { server, seat, board }: Agent,
  { ref, stands }: NonNullable<Work["current_task"]>,
  typed: Typed,
): Promise<Candidate[]> {
  if (stands && stands.messages_since < messagesBehind - 1) return [];
  const api = quietApi(cli, server, seat.token);
  const task = await api.call("getTask", { params: { board, task: ref } }).catch(() => null);
  const behind = task ? behindIn(cli, task) : 0;
  if (behind < messagesBehind) return [];
  const fact = task!.stands
    ? `Where ${ref} stands is ${behind} messages behind.`
    : `Nobody wrote where ${ref} stands, after ${behind} messages.`;
  const text = `${fact} Say it: ${typed("task note TEXT")}`;
  const onceFor = `${task!.id} ${task!.stands?.version ?? 0} ${Math.floor(behind / messagesBehind)}`;
  return [{ code: "stands_stale", text, rate: { onceFor } }];
}

/** The number of messages about a task since its progress note; 0 while the note is recent. */
function behindIn({ clock }: Cli, { stands, message_count }: Task): number {
  if (!stands) return message_count;
  return clock.now() - Date.parse(stands.at) < oldMs ? 0 : stands.messages_since;
}
