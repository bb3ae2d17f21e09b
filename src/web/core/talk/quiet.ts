import type { EventType } from "../../../contract/log.ts";
import type { LogEvent } from "../boards/board.ts";

/**
 * Where the page tells of each kind of event: in a line of the timeline, or only where it is seen anyway. A message, its
 * reactions and its ask are rows of the timeline themselves, a version of a file is shown by the message that posts it, and
 * what people set up stands on their page.
 */
const toldIn = {
  "board.created": "line",
  "board.titled": "line",
  "board.policy_changed": "line",
  "board.agents_add_people_changed": "line",
  "board.visibility_changed": "line",
  "board.archived": "line",
  "board.restored": "line",
  "board.deleted": "place",
  "board.rolled_back": "line",
  "board.imported": "line",
  "board.moved": "line",
  "board.task_prefix_set": "line",
  "member.joined": "line",
  "person.added": "line",
  "person.renamed": "line",
  "person.removed": "line",
  "person.left": "line",
  "person.made_owner": "line",
  "agent.removed": "line",
  "agent.left": "line",
  "agent.delivery_changed": "place",
  "joincode.created": "place",
  "joincode.revoked": "place",
  "message.posted": "place",
  "ask.withdrawn": "place",
  "reaction.added": "place",
  "reaction.removed": "place",
  "task.created": "line",
  "task.started": "line",
  "task.joined": "line",
  "task.updated": "place",
  "task.done": "line",
  "task.dropped": "line",
  "file.version_added": "place",
  "file.updated": "place",
  "file.renamed": "line",
  "file.removed": "line",
  "file.approved": "line",
  "file.approval_removed": "line",
} as const satisfies Readonly<Record<EventType, "line" | "place">>;

/** The kinds of events that the timeline tells of in a line. */
export type ToldType = {
  [T in EventType]: (typeof toldIn)[T] extends "line" ? T : never;
}[EventType];

const isLine = (type: string): type is ToldType =>
  Object.hasOwn(toldIn, type) && toldIn[type as EventType] === "line";

/** Whether an event says nothing that another line or the thing itself does not say. */
function isKnownAnyway({ type, data }: LogEvent): boolean {
  // An agent goes back to a task of its own.
  if (data?.["reselected"] === true) return true;
  // The line about the end of the seat says it.
  if (type === "task.dropped") return data?.["by"] === "seat_ended";
  // The first task gives the board its letters.
  return type === "board.task_prefix_set" && data?.["before"] === null;
}

/** Whether the timeline tells of an event. */
export const isTold = (event: LogEvent): event is LogEvent & { type: ToldType } =>
  isLine(event.type) && event.data !== undefined && !isKnownAnyway(event);
