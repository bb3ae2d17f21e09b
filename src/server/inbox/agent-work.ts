import type { Static } from "@sinclair/typebox";
import type { AgentWork } from "../../contract/agent-work.ts";
import { postsWithoutTask } from "../../db/message-tasks.ts";
import { openAskCountsOf, openAskCountsTo, type OpenAsks } from "../../db/asks.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import type { MemberRow } from "../../db/members.ts";
import { sharing } from "../../db/shared-values.ts";
import { currentTaskOf, taskCounts, taskAt, tasksOf } from "../../db/tasks.ts";
import { lineNow } from "../agents/views.ts";
import { policyOf } from "../access/board-policy.ts";
import { briefWork } from "../files/brief.ts";
import { standsOf } from "../tasks/views.ts";

type Work = Static<typeof AgentWork>;

/** An agent's task, asks, status line and brief. It counts only what the agent may see. Most agents have the same. */
export function agentWork(tx: ReadTx, board: BoardRow, me: MemberRow): Work {
  let read: Work | undefined;
  const kept = tx.caches.work.get("work", me.row, () => {
    read = workNow(tx, board, me);
    return isStill(read) ? shared({ ...read, posts_without_task: 0 }) : null;
  });
  if (!kept) return read!;
  const posts_without_task = postsWithoutTask(tx, me.row);
  return posts_without_task === 0 ? kept : shared({ ...kept, posts_without_task });
}

/** Whether two agents, or one at two times, have the same work. */
export const isSameWork = (one: Work, other: Work): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** The same work, as one that others have too if they do. */
const shared = sharing<Work>(JSON.stringify);

/** Whether no message and no moment changes it but the agent's own: only its posts without a task are counted then. */
const isStill = ({ current_task, asks_waiting, asks_to_it, brief }: Work): boolean =>
  current_task === null && asks_waiting === 0 && asks_to_it === 0 && brief === null;

function workNow(tx: ReadTx, board: BoardRow, me: MemberRow): Work {
  const current_task = currentWork(tx, board, me);
  return {
    current_task,
    ...openWork(tx, board),
    posts_without_task: current_task ? 0 : postsWithoutTask(tx, me.row),
    asks_waiting: total(openAskCountsOf(tx, me.row)),
    asks_to_it: total(openAskCountsTo(tx, me.row)),
    line: lineNow(tx, me),
    brief: briefWork(tx, board, me),
    nudges: policyOf(board).nudges === "on",
  };
}

function currentWork(tx: ReadTx, board: BoardRow, me: MemberRow): Work["current_task"] {
  // A board without a prefix has never had a task.
  const current = board.task_prefix === null ? null : currentTaskOf(tx, me.row);
  if (!current) return null;
  const task = taskAt(tx, current.row)!;
  const { id, ref, title } = task;
  return {
    id,
    ref,
    title,
    owner: task.owner_row === me.row,
    stands: standsOf(tx, board, me, task),
  };
}

function openWork(tx: ReadTx, board: BoardRow): Pick<Work, "open_tasks" | "oldest_open"> {
  const open_tasks = board.task_prefix === null ? 0 : taskCounts(tx, board.row).open;
  if (open_tasks === 0) return { open_tasks, oldest_open: null };
  const filter = { state: "open", owner: null, on: null, limit: 1 } as const;
  const { id, ref, title } = tasksOf(tx, board.row, filter)[0]!;
  return { open_tasks, oldest_open: { id, ref, title } };
}

const total = ({ blocking, going_with }: OpenAsks): number => blocking + going_with;
