import type { Client } from "../../client/client.ts";
import {
  mayBeDue,
  nudgesFor,
  type Candidate,
  type Nudge,
} from "../../client/machine/shown-nudges.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Member } from "../agents/status-line-text.ts";
import { keyFor } from "../../client/machine/servers.ts";
import type { Place } from "../acting/place-of.ts";

/** The id, reference and title of a task. */
export interface TaskName {
  readonly id: string;
  readonly ref: string;
  readonly title: string;
}

/*
 * What an answer adds to a changed task. The change is stored by then, so a request that fails leaves its part out and
 * does not fail the command.
 */

/** The agent's status line and state now; null for a person. */
export async function lineOf(place: Place): Promise<Pick<Member, "line" | "state"> | null> {
  const { actor, board } = place;
  if (actor.kind === "person") return null;
  const answer = await quiet(place)
    .call("listMembers", { params: { board } })
    .catch(() => null);
  return answer?.members.find(({ id }) => id === actor.seat.member_id) ?? null;
}

/** The oldest task without an owner, or null. */
export async function oldestOpen(place: Place): Promise<TaskName | null> {
  const query = { state: "open", limit: 1 } as const;
  const answer = await quiet(place)
    .call("listTasks", { params: { board: place.board }, query })
    .catch(() => null);
  const [task] = answer?.tasks ?? [];
  return task ? { id: task.id, ref: task.ref, title: task.title } : null;
}

/** The candidates that are due, if the board has nudges on. */
export async function remindersOf(
  place: Place,
  candidates: readonly Candidate[],
): Promise<Nudge[]> {
  const { cli, actor, board } = place;
  const memberId = actor.kind === "agent" ? actor.seat.member_id : "";
  // Usually no candidate is due, and then we need not ask the board whether nudges are on.
  if (candidates.length === 0 || !mayBeDue(cli, memberId, candidates)) return [];
  const answer = await quiet(place)
    .call("getBoard", { params: { board } })
    .catch(() => null);
  return nudgesFor(cli, { memberId, on: answer?.policy.nudges === "on" }, candidates);
}

/** The nudges for an agent that starts one of its first tasks. */
export const firstTask = ({ actor, typed }: Place, { ref }: TaskName): Candidate[] =>
  actor.kind === "person"
    ? []
    : [
        {
          code: "first_task",
          text: `Say where ${ref} stands as you go: ${typed("task note TEXT")}`,
          rate: { times: 3 },
        },
      ];

/** The nudge after closing a task: another task has no owner. */
export const nextTask = ({ typed }: Place, { ref }: TaskName): Candidate => ({
  code: "next_task",
  text: `Not picked up: ${typed(`task start ${ref}`)}`,
  rate: "always",
});

function quiet({ cli, actor }: Place): Client {
  const { server } = actor;
  const token = actor.kind === "agent" ? actor.seat.token : keyFor(cli, server);
  return quietApi(cli, server, token ?? undefined);
}
