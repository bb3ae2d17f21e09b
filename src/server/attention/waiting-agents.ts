import { waitingAgentsOf } from "../../db/attention.ts";
import { locationOf } from "../../db/own-agents.ts";
import { memberRef } from "../member-ref.ts";
import { presenceNow } from "../presence.ts";
import { afterSeconds, presenceSeconds } from "../time.ts";
import type { Kind } from "./item.ts";
import { memberOf } from "./view.ts";

/** The person's agents that report that they wait for the person, in their session. */
export const waitingAgents: Kind = (view) => {
  const { tx, caller } = view;
  const reportedAfter = afterSeconds(tx.now, -presenceSeconds);
  const reports = waitingAgentsOf(tx, caller.person.row, reportedAfter).filter(({ member_row }) =>
    view.board(memberOf(tx, member_row).board_row),
  );
  // One that has begun to wait for messages since does not wait for its person.
  const waiting = reports.filter(
    ({ member_row }) => presenceNow(tx, member_row).presence === "waiting",
  );
  return {
    open: waiting.map(({ member_row, since }) => {
      const agent = memberOf(tx, member_row);
      const board = view.board(agent.board_row)!;
      return {
        kind: "agent_waiting" as const,
        cause: `${agent.id}.${Date.parse(since)}`,
        urgency: "later" as const,
        at: since,
        board,
        show() {
          const session = locationOf(tx, member_row);
          return {
            from: memberRef(agent),
            title: `@${agent.name} waits for you in its session`,
            text: session
              ? `${session.harness} on ${session.machine}, in ${session.folder}`
              : "It has not said where its session is.",
            ref: { board_id: board.id, agents: [{ member_id: agent.id, name: agent.name }] },
            actions: [{ name: "open", command: `service agents --board ${board.name}` }],
          };
        },
      };
    }),
    changesAt: reports.map(({ reported_at }) => afterSeconds(reported_at, presenceSeconds)),
    topics: reports.map(({ member_row }) => `presence:${member_row}` as const),
  };
};
