import fc from "fast-check";
import { expect } from "bun:test";
import { followersOf } from "./inbox-stream.ts";
import { slot } from "../model.ts";
import { agents, command, type Feature } from "../registry.ts";
import { boardCalled, memberOf, pick } from "../scene.ts";
import { standingOn } from "../standing.ts";
import { boardName } from "../drawn.ts";

interface Line {
  readonly kind: "working" | "paused";
  readonly text: string;
  readonly until: string | null;
  readonly set_by: string;
  readonly source: "command" | "task";
  /** Id of the task. */
  readonly task: string | null;
}
/** The lines of a board's agents. No event tells of them. */
const linesOf = slot(() => new Map<string, Line>());

const line = fc.record({
  kind: fc.constantFrom("working" as const, "paused" as const),
  text: fc.constantFrom("One", "Two"),
  /** In how many seconds it is back. */
  back: fc.integer({ min: 1, max: 60 }),
});

const saying = command({
  name: "set a line",
  weight: 6,
  arbitrary: fc.record({ line, board: boardName, agent: fc.nat(9) }),
  choose(scene, { seat }, { line: { kind, text, back }, board, agent }) {
    const on = seat?.board ?? board;
    const agents = [...boardCalled(scene, on).members.values()].filter(
      ({ kind: is, active }) => is === "agent" && active,
    );
    const chosen = pick(agents, agent);
    const until = scene.world.at(back);
    const body = { kind, text, ...(kind === "paused" && { until }) };
    if (seat) return { board: on, member: null, body };
    return chosen && { board: on, member: chosen.id, body };
  },
  model(scene, by, { board: name, member, body }) {
    const board = boardCalled(scene, name);
    const { refusal, me } = standingOn(scene, board, by, { guests: true });
    if (refusal !== null) return { refusal };
    if (member && board.members.get(member)!.person !== by.person)
      return { refusal: "agent_owner_required" };
    return {
      refusal: null,
      events: [],
      after() {
        const { until = null } = body as { until?: string };
        const agent = member ?? me.id;
        const task = board.current.get(agent) ?? null;
        const source = "command" as const;
        linesOf(board).set(agent, { ...body, until, set_by: me.name, source, task });
      },
    };
  },
  run: (_scene, { client }, { board, member, body }) =>
    member
      ? client.send("setMemberLine", { params: { board, member }, body })
      : client.send("setLine", { body }),
});

const silencing = command({
  name: "clear a line",
  weight: 2,
  who: agents,
  arbitrary: fc.record({}),
  choose: (_scene, { seat }) => ({ board: seat!.board }),
  model(scene, by, { board: name }) {
    const board = boardCalled(scene, name);
    const me = memberOf(board, by);
    if (!me) return { refusal: "agent_removed" };
    return {
      refusal: null,
      events: [],
      after: () => void linesOf(board).delete(me.id),
    };
  },
  run: (_scene, { client }) => client.send("clearLine"),
});

/** What agents say that they do. */
export const lines: Feature = {
  commands: [saying, silencing],
  fold(board, { type, data }) {
    const lines = linesOf(board);
    if (type === "task.started") {
      const { name, kind } = board.members.get(data.member_id)!;
      const { id: task, title: text } = board.tasks.get(data.task_id)!;
      const line = { kind: "working", text, until: null, source: "task", task } as const;
      if (kind === "agent") lines.set(data.member_id, { ...line, set_by: name });
    }
    if (type === "task.dropped" && lines.get(data.member_id)?.task === data.task_id)
      lines.delete(data.member_id);
    if (type === "task.done")
      for (const [agent, { task }] of lines) if (task === data.task_id) lines.delete(agent);
  },
  readings: [
    {
      name: "lines",
      async check({ scene, board, actor }) {
        const now = scene.world.clock.now.toISOString();
        const params = { board: board.name };
        const { members } = await actor.client.call("listMembers", { params });
        for (const { id, kind, line: shown, state } of members) {
          if (kind === "human") continue;
          const said = linesOf(board).get(id) ?? null;
          expect(shown && { ...shown, at: "", task: shown.task?.id ?? null }).toEqual(
            said && { ...said, at: "" },
          );
          const late = said?.kind === "paused" && (said.until! > now ? "paused" : "late");
          // Nobody has a session here, but whoever follows its inbox is idle.
          const waits = said ? "working" : "idle";
          expect(state).toBe(late || (followersOf(board).has(id) ? waits : "disconnected"));
        }
      },
    },
  ],
};
