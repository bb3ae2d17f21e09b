import type { EventFrom } from "../../client/client.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import { isMessage, isModeWord, isObject, isSeq, isText, isWork } from "../../agent-text/shapes.ts";

type InboxEvent = EventFrom<"streamInbox">;

/**
 * Throws if an event of a seat's stream is of another seat, or does not hold what the daemon reads of it. One server that
 * lies or fails must not stop what comes from others.
 */
export function checkEvent({ member_id }: DaemonAgent, { event, data }: InboxEvent): void {
  if (!isObject(data)) throw notUnderstood();
  if ((event === "ready" || event === "messages") && data.member_id !== member_id)
    throw new Error("the token is of another seat");
  const isWhole =
    (event !== "ready" || (isSeq(data.cursor) && isText(data.generation) && isWork(data.work))) &&
    ((event !== "ready" && event !== "mode") ||
      (isModeWord(data.delivery_mode) && isSeq(data.delivery_revision))) &&
    (event !== "read" || isSeq(data.position)) &&
    (event !== "messages" || isWholeBatch(data));
  if (!isWhole) throw notUnderstood();
}

const isWholeBatch = ({ agent, messages, work }: Record<string, unknown>): boolean =>
  isText(agent) &&
  Array.isArray(messages) &&
  messages.every(isMessage) &&
  (work === undefined || isWork(work));

const notUnderstood = () => new Error("the server sends what this program does not understand");
