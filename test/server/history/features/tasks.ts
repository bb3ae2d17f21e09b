import fc from "fast-check";
import { expect } from "bun:test";
import type { OperationName } from "../../../../src/contract/index.ts";
import type { EventType } from "../../../../src/contract/log.ts";
import type { BoardModel, MemberModel, TaskModel } from "../model.ts";
import { command, type Command, type Expected } from "../registry.ts";
import { allows } from "../rules.ts";
import { boardCalled, memberOf, pick, type Actor, type Scene } from "../scene.ts";
import { standingOn } from "../standing.ts";
import { boardName } from "../drawn.ts";

const opening = command({
  name: "open a task",
  weight: 10,
  arbitrary: fc.record({
    board: boardName,
    about: fc.constantFrom("", "Why."),
    start: fc.boolean(),
  }),
  choose: (_scene, _by, drawn) => drawn,
  model(scene, by, { board: name, about, start }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by);
    if (refusal !== null) return { refusal };
    if (!allows(board, me, "create_tasks")) return { refusal: "forbidden" };
    if (start && !allows(board, me, "claim_tasks")) return { refusal: "forbidden" };
    if (board.archived) return { refusal: "board_archived" };
    return {
      refusal: null,
      events: [
        ...(board.prefix === null ? (["board.task_prefix_set"] as const) : []),
        "task.created",
        ...(start ? (["task.started"] as const) : []),
      ],
      after(answer) {
        expect(answer).toMatchObject({
          number: board.tasks.size,
          about: about === "" ? null : { text: about, version: 1 },
          owner: start ? { name: me.name } : null,
        });
      },
    };
  },
  run: (_scene, { client }, { board, about, start }) =>
    client.send("createTask", { params: { board }, body: { title: "T", about, start } }),
});

/** The tasks that a request is likely about: mostly not closed, and somebody's own where others are refused. */
function likely(board: BoardModel, by: Actor, operation: OperationName, number: number) {
  const all = [...board.tasks.values()];
  if (number === 0) return all;
  const me = memberOf(board, by);
  const unclosed = all.filter(({ closed }) => closed === null);
  const own = unclosed.filter((task) => me && isOn(task, me));
  const isOpenToAll = operation === "startTask" || operation === "joinTask";
  return own.length > 0 && number % 4 && !isOpenToAll ? own : unclosed.length ? unclosed : all;
}

/** A request about a task of a board. */
interface OnTask {
  readonly board: string;
  readonly task: string;
  readonly body?: Readonly<Record<string, unknown>>;
}
/** What a rule says of a task that is there and not closed, on an active board. */
type Rule = (
  board: BoardModel,
  me: MemberModel,
  task: TaskModel,
  body: Readonly<Record<string, unknown>>,
) => Expected;

const isOn = ({ owner, helpers }: TaskModel, { id }: MemberModel) =>
  owner === id || helpers.includes(id);
const worksElsewhere = (board: BoardModel, { id, kind }: MemberModel, task: TaskModel) =>
  kind === "agent" && board.current.get(id) !== task.id;
const succeeds = (...events: EventType[]): Expected => ({ refusal: null, events });
const refused = (refusal: string): Expected => ({ refusal });

/** Makes the command of an operation on a task. `body` draws what it is sent, with names that `choose` fills in. */
const onTask = (
  name: string,
  weight: number,
  operation: OperationName,
  rule: Rule,
  {
    body = fc.constant(undefined),
    permission,
  }: { body?: fc.Arbitrary<Record<string, unknown> | undefined>; permission?: string } = {},
): Command =>
  command({
    name,
    weight,
    who: ({ guest }) => !guest,
    arbitrary: fc.record({ board: boardName, task: fc.nat(9), body, way: fc.nat(2) }),
    choose(scene, by, { board: called, task, body: drawn, way }): OnTask | null {
      const board = boardCalled(scene, called);
      const chosen = pick(likely(board, by, operation, task), task);
      if (!chosen) return null;
      const selector = [chosen.ref.toLowerCase(), String(chosen.number), chosen.id][way]!;
      return {
        board: called,
        task: selector,
        ...(drawn && { body: meaning(board, chosen, drawn) }),
      };
    },
    model(scene, by, { board: called, task: selector, body: sent = {} }) {
      const board = boardCalled(scene, called);
      const { refusal, me } = standingOn(scene, board, by);
      if (refusal !== null) return { refusal };
      if (permission && !allows(board, me, permission)) return refused("forbidden");
      if (board.archived) return refused("board_archived");
      const task = [...board.tasks.values()].find(({ id, ref, number }) =>
        [id, ref.toLowerCase(), String(number)].includes(selector),
      )!;
      return task.closed ? refused("task_closed") : rule(board, me, task, sent);
    },
    run: send(operation),
  });

const send =
  (operation: OperationName) =>
  (_scene: Scene, { client }: Actor, { body, ...params }: OnTask) =>
    client.send(operation, { params, ...(body && { body }) } as never);

/** What was drawn, with a member's name in place of a number: mostly of somebody on the task. */
function meaning(board: BoardModel, task: TaskModel, drawn: Record<string, unknown>) {
  const { member: number, ...rest } = drawn;
  if (typeof number !== "number") return rest;
  const on = [...board.members.values()].filter((member) => isOn(task, member));
  const member = pick(number % 4 && on.length ? on : [...board.members.values()], number)!;
  return { ...rest, member: member.name };
}

const optional = <T>(values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const defined = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** What becomes of tasks. */
export const taskCommands: readonly Command[] = [
  opening,
  onTask(
    ...(["start", 12, "startTask"] as const),
    (board, me, task) => {
      if (task.owner !== null && task.owner !== me.id) return refused("task_taken");
      const again = task.owner === me.id;
      return !again || worksElsewhere(board, me, task) ? succeeds("task.started") : succeeds();
    },
    { permission: "claim_tasks" },
  ),
  onTask(
    ...(["help", 9, "joinTask"] as const),
    (board, me, task) =>
      !isOn(task, me) || worksElsewhere(board, me, task) ? succeeds("task.joined") : succeeds(),
    { permission: "claim_tasks" },
  ),
  onTask(
    ...(["write", 9, "updateTask"] as const),
    (_board, me, task, { title, about, stands, stands_base: base }) => {
      const person = me.kind === "human";
      if (title !== undefined || about !== undefined)
        if (!person && task.opener !== me.id && task.owner !== me.id) return refused("not_on_task");
      if (stands !== undefined || base !== undefined)
        if (!person && !isOn(task, me)) return refused("not_on_task");
      const version = task.stands?.version ?? 0;
      if (base !== undefined && base !== version) return refused("stands_changed");
      const changes =
        (title !== undefined && title !== task.title) ||
        (about !== undefined && about !== (task.about?.text ?? "")) ||
        (stands !== undefined && stands !== task.stands?.text);
      return changes ? succeeds("task.updated") : succeeds();
    },
    {
      body: fc
        .record({
          title: optional(["T", "T2"]),
          about: optional(["", "Why.", "Because."]),
          stands: optional(["Begun.", "Half."]),
          stands_base: optional([0, 1, 2]),
        })
        .map(defined)
        .filter((body) => Object.keys(body).length > 0),
    },
  ),
  onTask(
    ...(["close", 4, "finishTask"] as const),
    (_board, me, task) =>
      me.kind === "agent" && task.owner !== me.id ? refused("not_on_task") : succeeds("task.done"),
    { body: fc.record({ note: fc.constant("Over."), cancelled: fc.boolean() }) },
  ),
  onTask(
    ...(["give up", 7, "dropTask"] as const),
    (board, me, task, { member: name = me.name }) => {
      if (me.kind === "agent" && name !== me.name) return refused("not_on_task");
      const member = [...board.members.values()].find((one) => one.name === name)!;
      return isOn(task, member) ? succeeds("task.dropped") : refused("not_on_task");
    },
    {
      body: fc.record({ member: fc.option(fc.nat(20), { nil: undefined, freq: 1 }) }).map(defined),
    },
  ),
];
