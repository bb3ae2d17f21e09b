import { workingAgentsOf, type WorkingAgent } from "../../db/attention.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { taskAt } from "../../db/tasks.ts";
import { memberRef } from "../member-ref.ts";
import { taskRef } from "../tasks/views.ts";
import { afterSeconds, minuteSeconds } from "../time.ts";
import type { Kind } from "./item.ts";
import { cut, writeTo } from "./shown-message.ts";
import { memberOf } from "./view.ts";

/** An agent at work of which nothing is heard for so long is silent. */
const silentSeconds = 30 * minuteSeconds;

/** The person's agents that own a task in progress and have given no sign of life for half an hour. */
export const silentAgents: Kind = (view) => {
  const { tx, caller } = view;
  const working = workingAgentsOf(tx, caller.person.row)
    .filter(({ board_row }) => view.board(board_row))
    .map((agent) => ({ ...agent, heard_at: lastHeard(tx, agent) }));
  const isSilent = (heard: string) => afterSeconds(heard, silentSeconds) <= tx.now;
  const silent = working.filter(({ heard_at }) => isSilent(heard_at));
  return {
    open: silent.map(({ member_row, board_row, task_row, heard_at }) => {
      const agent = memberOf(tx, member_row);
      const board = view.board(board_row)!;
      return {
        kind: "agent_silent" as const,
        cause: `${agent.id}.${Date.parse(heard_at)}`,
        urgency: "later" as const,
        at: heard_at,
        board,
        mark: String(task_row),
        show() {
          const task = taskRef(taskAt(tx, task_row)!);
          return {
            from: memberRef(agent),
            title: `@${agent.name} works on ${task.ref} and has not been heard of for half an hour`,
            text: cut(task.title),
            ref: {
              board_id: board.id,
              task,
              agents: [{ member_id: agent.id, name: agent.name }],
            },
            actions: [
              { name: "open", command: `service task show ${task.ref} --board ${board.name}` },
              writeTo(board.name, [agent]),
            ],
          };
        },
      };
    }),
    changesAt: working
      .filter(({ heard_at }) => !isSilent(heard_at))
      .map(({ heard_at }) => afterSeconds(heard_at, silentSeconds)),
    // A word of an agent signals nothing to its person, so a shown one is looked at again with every event of its board.
    topics: silent.flatMap(({ board_row, member_row }) => [
      `head:${board_row}` as const,
      `presence:${member_row}` as const,
    ]),
  };
};

/** When an agent last gave a sign of life. Waiting for messages is one too. */
function lastHeard(tx: ReadTx, { member_row, heard_at }: WorkingAgent): string {
  const held = tx.heldInboxes.lastHeld(member_row);
  return held !== null && held > heard_at ? held : heard_at;
}
