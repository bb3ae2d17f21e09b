import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import { askNudges } from "./ask-nudges.ts";
import type { Agent } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import {
  nudgesFor,
  type Candidate,
  type Nudge,
  type Rate,
} from "../../client/machine/shown-nudges.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Typed } from "../frame/suggest.ts";
import type { Message } from "./message-types.ts";
import { counted } from "../terminal/table.ts";

/** What an agent is on, as its inbox tells it. */
export type Work = Output<Operations["getInbox"]>["work"];
type Task = Output<Operations["getTask"]>;

const halfHour = 30 * 60;
/** So many messages in a row about no task are worth a reminder. */
const manyWithoutTask = 3;
/** Where a task stands is behind after so many messages about it, once it is so old. */
const messagesBehind = 8;
const oldMs = 15 * 60 * 1000;

/** What an inbox, and `status` each time, reminds of: tasks that nobody took, to an agent that is on none. */
export function inboxNudges(
  cli: Cli,
  { seat }: Pick<Agent, "seat">,
  work: Work | undefined,
  typed: Typed,
  rate: Rate = { everySeconds: halfHour },
): Nudge[] {
  if (!work || work.current_task || !work.oldest_open) return [];
  const { open_tasks, oldest_open } = work;
  const text = `${counted(open_tasks, "task is", "tasks are")} not picked up. The oldest: ${typed(`task start ${oldest_open.ref}`)}`;
  return nudgesFor(cli, { memberId: seat.member_id, on: work.nudges }, [
    { code: "tasks_not_picked_up", text, rate },
  ]);
}

/**
 * What a message reminds its sender of. `work` is from about the time of the post: where it comes near to something,
 * the server is asked again. What cannot be known is left out.
 */
export async function postNudges(
  cli: Cli,
  agent: Agent,
  message: Message,
  work: Work | null | undefined,
  typed: Typed,
): Promise<Nudge[]> {
  if (!work?.nudges) return [];
  const current = work.current_task;
  const on = { memberId: agent.seat.member_id, on: work.nudges };
  // An ask is no talk beside a task.
  if (message.ask) return nudgesFor(cli, on, askNudges(message, typed));
  const candidates = current
    ? message.about?.some(({ id }) => id === current.id)
      ? await staleStands(cli, agent, current, typed)
      : []
    : message.about?.length
      ? []
      : await withoutTask(cli, agent, work, typed);
  return nudgesFor(cli, on, [...candidates, ...askNudges(message, typed)]);
}

async function withoutTask(
  cli: Cli,
  { server, seat }: Agent,
  { posts_without_task }: Work,
  typed: Typed,
): Promise<Candidate[]> {
  if (posts_without_task < manyWithoutTask - 1) return [];
  const api = quietApi(cli, server, seat.token);
  const inbox = await api.call("getInbox", { query: { limit: 1 } }).catch(() => null);
  const count = inbox?.work.posts_without_task ?? 0;
  if (count < manyWithoutTask) return [];
  const oldest = inbox!.work.oldest_open;
  const remedy = oldest
    ? `Take one: ${typed(`task start ${oldest.ref}`)}`
    : `Open one: ${typed("task new TITLE")}`;
  const text = `${count} messages in a row are about no task. ${remedy}`;
  return [{ code: "no_task_posts", text, rate: { everySeconds: halfHour } }];
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

/** How many messages about a task came since its owner or a helper said where it stands. */
function behindIn({ clock }: Cli, { stands, message_count }: Task): number {
  if (!stands) return message_count;
  return clock.now() - Date.parse(stands.at) < oldMs ? 0 : stands.messages_since;
}
