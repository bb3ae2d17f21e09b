import type { ExtensionEvent } from "../../client/machine/extension-wire.ts";
import type { Clock } from "../loop/clock.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";

/** How long an extension may take to answer a question. */
const answerMs = 10_000;

/** The connection of one process of a harness, as long as it lasts. */
export interface Connection {
  readonly boot: string;
  send(event: ExtensionEvent): void;
  /** Sends an event about a text, and waits for the line that answers it. Fails after a time, and when `leave` is called. */
  ask(event: Question): Promise<RawRequest>;
  /** Gives a line to the question that it answers. */
  answer(of: Question["event"], session: string, handoff: string, line: RawRequest): void;
  /** Lets the questions about a session fail, or all of them. */
  leave(session?: string): void;
}

/** What the daemon asks an extension. */
type Question = Extract<ExtensionEvent, { event: "deliver" | "fate" }>;

const keyOf = (of: Question["event"], session: string, handoff: string): string =>
  JSON.stringify([of, session, handoff]);

/** Makes the connection of an extension. */
export function createConnection(peer: Peer, boot: string, clock: Clock): Connection {
  const questions = new Map<string, PromiseWithResolvers<RawRequest> & { session: string }>();
  return {
    boot,
    send: (event) => peer.answer(event),
    async ask(event) {
      const { session } = event;
      const key = keyOf(event.event, session, event.handoff_id);
      const question = { ...Promise.withResolvers<RawRequest>(), session };
      questions.get(key)?.reject(new Error("the extension was asked again"));
      questions.set(key, question);
      const cancel = clock.after(answerMs, () =>
        question.reject(new Error("the extension gives no answer")),
      );
      try {
        peer.answer(event);
        return await question.promise;
      } finally {
        cancel();
        if (questions.get(key) === question) questions.delete(key);
      }
    },
    answer: (of, session, handoff, line) =>
      questions.get(keyOf(of, session, handoff))?.resolve(line),
    leave(session) {
      for (const question of questions.values())
        if (session === undefined || question.session === session)
          question.reject(new Error("the extension no longer holds the session"));
    },
  };
}
