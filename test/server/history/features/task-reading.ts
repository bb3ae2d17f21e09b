import { expect } from "bun:test";
import type { TaskModel } from "../model.ts";
import type { Reading, View } from "../registry.ts";
import { blocking, inOrder, readable, reads, stateOf, talkOf } from "../rules.ts";
import { pick } from "../scene.ts";

/** A task as its reader is to be shown it. */
function expected({ scene, board, me }: View, task: TaskModel) {
  const blocked = blocking(board, task, scene.world.clock.now.toISOString());
  const named = (id: string | null) => (id === null ? null : { name: board.members.get(id)!.name });
  const talk = talkOf(board, me, task);
  const text = (of: TaskModel["stands"], messages_since: number) =>
    of && { text: of.text, version: of.version, at: of.at, by: named(of.by)!, messages_since };
  return {
    id: task.id,
    ref: task.ref,
    number: task.number,
    board: board.name,
    title: task.title,
    state: stateOf(task),
    owner: named(task.owner),
    with: task.helpers.map(named),
    opened_by: named(task.opener)!,
    updated_at: task.updatedAt,
    about: text(task.about, talk.sinceAbout),
    stands: text(task.stands, talk.sinceStands),
    message_count: talk.messages,
    thread_count: talk.threads,
    blocked: blocked.length > 0,
    blocked_count: blocked.length,
    blocked_on: blocked
      .filter((ask) => reads(board, me, ask))
      .map(({ id, seq, at, sender, ask }) => ({
        ask_id: id,
        ask_seq: seq,
        since: at,
        to: named(ask!.to)!,
        from: named(sender)!,
      })),
  };
}

const lists: Reading = {
  name: "tasks",
  async check(view) {
    const { scene, board, me, actor, turn } = view;
    const params = { board: board.name };
    const list = async (query: object) =>
      actor.client.call("listTasks", { params, query: { limit: 200, ...query } });
    const all = inOrder(board);
    const { tasks, counts, more } = await list({ state: "all" });
    expect(tasks).toMatchObject(all.map((task) => expected(view, task)) as object);
    expect(more).toBe(false);
    const count = (state: string) => all.filter((task) => stateOf(task) === state).length;
    const now = scene.world.clock.now.toISOString();
    expect(counts).toEqual({
      open: count("open"),
      in_progress: count("in_progress"),
      done: count("done"),
      cancelled: count("cancelled"),
      blocked: all.filter((task) => blocking(board, task, now).length > 0).length,
    });
    const owner = pick([...board.members.values()], turn)!;
    const isOn = ({ owner: id, helpers }: TaskModel) => id === me.id || helpers.includes(me.id);
    const filters: [query: object, wanted: TaskModel[]][] = [
      [{}, all.filter(({ closed }) => closed === null)],
      [{ state: "all", mine: true }, all.filter(isOn)],
      [{ state: "all", owner: owner.name }, all.filter((task) => task.owner === owner.id)],
      [{ state: "done" }, all.filter(({ closed }) => closed === "done")],
      [{ state: "all", limit: 2 }, all.slice(0, 2)],
    ];
    const [filter, wanted] = filters[turn % filters.length]!;
    expect((await list(filter)).tasks.map(({ ref }) => ref)).toEqual(wanted.map(({ ref }) => ref));
    const one = pick(all, turn);
    if (!one) return;
    const query = { task: one.ref, limit: 200 };
    const { messages } = await actor.client.call("listMessages", { params, query });
    expect(messages.map(({ id }) => id)).toEqual(
      readable(board, me)
        .filter(({ about }) => about.some(({ id }) => id === one.id))
        .map(({ id }) => id),
    );
    const asked = { params: { ...params, task: one.ref } };
    expect(await actor.client.call("getTask", asked)).toMatchObject(expected(view, one) as object);
  },
};

const searching: Reading = {
  name: "what is found of tasks",
  async check({ board, actor, turn }) {
    const q = ["why", "because", "begun", "half", "over"][turn % 5]!;
    const { hits } = await actor.client.call("searchBoard", {
      params: { board: board.name },
      query: { q, kind: "task", limit: 200 },
    });
    const wanted = [...board.tasks.values()].filter(({ about, stands, note }) =>
      [about?.text, stands?.text, note].some((text) => text?.toLowerCase().includes(q)),
    );
    expect(hits.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
  },
};

const members: Reading = {
  name: "members and what they work on",
  async check({ board, actor }) {
    const params = { board: board.name };
    const { members: shown } = await actor.client.call("listMembers", { params });
    expect(shown.map(({ name, current_task }) => [name, current_task?.id ?? null]).sort()).toEqual(
      [...board.members.values()]
        .filter(({ active }) => active)
        .map(({ id, name }) => [name, board.current.get(id) ?? null])
        .sort(),
    );
  },
};

/** What members read of tasks. */
export const taskReadings: readonly Reading[] = [lists, searching, members];
