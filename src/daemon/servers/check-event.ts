import type { EventFrom } from "../../client/client.ts";
import type { DaemonAgent } from "../../client/machine/daemon-wire.ts";
import type { Message } from "./reaching.ts";

type InboxEvent = EventFrom<"streamInbox">;

const isText = (value: unknown): boolean => typeof value === "string";
const isSeq = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether what the daemon reads of a message is there. What a newer server adds is not looked at. */
function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { id, seq, body, sender, from, to, mentions, urgent, expects_reply } = value;
  return (
    isSeq(seq) &&
    [id, body, sender].every(isText) &&
    isObject(from) &&
    [from["name"], from["kind"]].every(isText) &&
    Array.isArray(to) &&
    to.every(isText) &&
    Array.isArray(mentions) &&
    mentions.every((one) => isObject(one) && isText(one["id"])) &&
    [urgent, expects_reply].every((flag) => typeof flag === "boolean")
  );
}

/**
 * Throws if an event of a seat's stream is of another seat, or does not hold what the daemon reads of it. One server that
 * lies or fails must not stop what comes from others.
 */
export function checkEvent({ member_id }: DaemonAgent, { event, data }: InboxEvent): void {
  if (!isObject(data)) throw notUnderstood();
  if ((event === "ready" || event === "messages") && data.member_id !== member_id)
    throw new Error("the token is of another seat");
  const isWhole =
    (event !== "ready" || (isSeq(data.cursor) && isText(data.generation) && isObject(data.work))) &&
    ((event !== "ready" && event !== "mode") ||
      (isText(data.delivery_mode) && isSeq(data.delivery_revision))) &&
    (event !== "read" || isSeq(data.position)) &&
    (event !== "messages" ||
      (isText(data.agent) && Array.isArray(data.messages) && data.messages.every(isMessage)));
  if (!isWhole) throw notUnderstood();
}

const notUnderstood = () => new Error("the server sends what this program does not understand");
