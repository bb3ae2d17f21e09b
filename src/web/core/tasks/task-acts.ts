import { api, ApiError } from "../connection/api.ts";
import { sentenceOf } from "../connection/problems.ts";
import { me } from "../boards/overview.ts";
import { isMe, taskListOf, type Task, type TaskMember } from "./tasks.ts";
import { toast } from "../screen/toasts.ts";

const self = (): TaskMember => ({ name: me.value, kind: "human", role: null, owner: null });
const without = (members: readonly TaskMember[], name: string) =>
  members.filter((one) => one.name !== name);

/** An act on a task: what it sends, and what the task is expected to be afterwards. */
interface Act {
  readonly guess: Task;
  send(options: { idempotencyKey: string }): Promise<Task>;
}

/** The last act on each task that is on its way. The next one is sent after it, since its person saw it done. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Does an act. It is shown at once. Where the server refuses it, the task is shown as it is, and a toast says who was quicker
 * or what else is in the way. Where no answer comes, the toast offers to try again: the server does it once. Says whether it
 * was done.
 */
async function perform(
  task: Task,
  act: Act,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<boolean> {
  const list = taskListOf(task.board);
  list.take(act.guess);
  const before = underWay.get(task.id) ?? Promise.resolve();
  const answer = before.then(
    () => act.send({ idempotencyKey }),
    () => act.send({ idempotencyKey }),
  );
  underWay.set(task.id, answer);
  try {
    const done = await answer;
    // What the person did after it is shown already.
    if (underWay.get(task.id) === answer) list.take(done);
    return true;
  } catch (error) {
    // News may have come meanwhile. Else what was before is shown until the task is read again.
    if (list.tasks.value.includes(act.guess)) list.take(task);
    const isRefused = error instanceof ApiError && error.status < 500;
    const now = isRefused ? await list.refresh(task.id) : null;
    toast({
      text: whyNot(error, now ?? task),
      isError: true,
      ...(!isRefused && {
        action: { label: "Try again", run: () => void perform(task, act, idempotencyKey) },
      }),
    });
    return false;
  }
}

/** Why an act was not done, in one sentence about the people concerned. */
function whyNot(error: unknown, now: Task): string {
  const code = error instanceof ApiError ? error.code : "";
  if (code === "task_taken" && now.owner)
    return `${now.owner.name} was quicker: ${now.ref} is theirs now.`;
  if (code === "task_closed")
    return `${now.ref} was ${now.state === "cancelled" ? "cancelled" : "finished"} meanwhile.`;
  if (code === "not_on_task")
    return `${now.ref} has changed meanwhile: they are not on it any more.`;
  if (error instanceof ApiError && error.status < 500) return error.message;
  return `${now.ref} was not changed. ${sentenceOf(error)}`;
}

const paramsOf = ({ board, ref }: Task) => ({ params: { board, task: ref } });

const owned = (task: Task): Task => ({
  ...task,
  state: "in_progress",
  owner: self(),
  with: without(task.with, me.value),
});

/** Takes an open task. */
export const start = (task: Task): Promise<boolean> =>
  perform(task, {
    guess: owned(task),
    send: (options) => api.call("startTask", paramsOf(task), options),
  });

/** Helps on a task. */
export const takePart = (task: Task): Promise<boolean> =>
  perform(task, {
    guess: { ...task, with: [...task.with, self()] },
    send: (options) => api.call("joinTask", paramsOf(task), options),
  });

/** Takes a task from its owner. Whoever starts it between the two steps has it. */
export const takeOver = (task: Task): Promise<boolean> =>
  perform(task, {
    guess: owned(task),
    async send({ idempotencyKey }) {
      const body = { member: task.owner!.name, reason: `${me.value} takes it over` };
      await api.call("dropTask", { ...paramsOf(task), body }, { idempotencyKey });
      return api.call("startTask", paramsOf(task), { idempotencyKey: `${idempotencyKey}-start` });
    },
  });

/** Ends the part of a member of a task. The task of an owner is open again. */
export function drop(task: Task, member: TaskMember, reason = ""): Promise<boolean> {
  const isOwner = task.owner?.name === member.name;
  const guess: Task = isOwner
    ? { ...task, state: "open", owner: null }
    : { ...task, with: without(task.with, member.name) };
  const body = {
    ...(!isMe(member) && { member: member.name }),
    ...(reason.trim() && { reason: reason.trim() }),
  };
  return perform(task, {
    guess,
    send: (options) => api.call("dropTask", { ...paramsOf(task), body }, options),
  });
}

/** Closes a task with a note. */
export const finish = (task: Task, note: string, cancelled: boolean): Promise<boolean> =>
  perform(task, {
    guess: {
      ...task,
      state: cancelled ? "cancelled" : "done",
      closed_at: new Date().toISOString(),
      closed_note: note,
    },
    send: (options) =>
      api.call("finishTask", { ...paramsOf(task), body: { note, cancelled } }, options),
  });

/** Opens a task. Throws what the server says against it. */
export async function openTask(
  board: string,
  body: { title: string; about?: string; start: boolean },
  idempotencyKey: string,
): Promise<Task> {
  const task = await api.call("createTask", { params: { board }, body }, { idempotencyKey });
  taskListOf(board).take(task);
  return task;
}

/** Changes a task's title, what it is about, or where it stands. Throws what the server says against it. */
export async function rewrite(
  task: Task,
  body: { title?: string; about?: string; stands?: string; stands_base?: number },
): Promise<void> {
  taskListOf(task.board).take(await api.call("updateTask", { ...paramsOf(task), body }));
}
