/** Which messages wake an agent's session. Its person sets the mode, and the server holds it. */
export type DeliveryMode = "focused" | "all" | "humans" | "off";

/** What a message is to an agent that it reaches. */
export interface Reaching {
  readonly fromPerson: boolean;
  /** Its targets name the agent by less than everyone: by its name, its role or its person. */
  readonly addressed: boolean;
  /** The message mentions the agent, and the mention may wake it. */
  readonly mentioned: boolean;
  /** The message replies to a message of the agent. */
  readonly repliesToIt: boolean;
  readonly expectsReply: boolean;
  readonly urgent: boolean;
  /** The message wakes nobody, or not this agent. */
  readonly silent: boolean;
}

/** Whether a message concerns an agent that it reaches. A message to everyone concerns few, a silent one nobody. */
export const concerns = (message: Reaching): boolean =>
  !message.silent &&
  (message.fromPerson ||
    message.addressed ||
    message.mentioned ||
    message.repliesToIt ||
    message.expectsReply ||
    message.urgent);

/** Whether a message wakes an agent that it reaches. The server and every client decide it by this function alone. */
export function wakes(mode: DeliveryMode, message: Reaching): boolean {
  if (message.silent || mode === "off") return false;
  if (mode === "humans") return message.fromPerson;
  return mode === "all" || concerns(message);
}
