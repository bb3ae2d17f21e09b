import { AnswerRequest, AskRequest } from "../../contract/ask.ts";
import { listAsks } from "../../contract/asks.ts";
import { postMessage } from "../../contract/messages.ts";
import { Seq, Target } from "../../contract/scalars.ts";
import type { Caller } from "../caller.ts";
import { boardOf, given, messageAt } from "../common.ts";
import { counted, messagesText } from "../texts.ts";
import { arg, toolOf } from "../tool.ts";
import { sentText } from "./say.ts";

const { body, about, files } = postMessage.body!.properties;
const { options, going_with, going_at, approval } = AskRequest.properties;
const { option } = AnswerRequest.properties;
const { to_me, from_me, state, limit } = listAsks.query!.properties;

/** Questions that one member is to answer. */
export const ask = toolOf(
  "ask",
  "Questions that need an answer. ask one member (default your person); answer one by option or text; withdraw yours; list.",
  {
    text: arg(body),
    to: arg(Target, "@name"),
    options: arg(options),
    going_with: arg(going_with, "what you do without an answer; else you wait"),
    going_at: arg(going_at, "when, RFC 3339"),
    approval: arg(approval, "approve the files"),
    files: arg(files),
    about: arg(about),
    message: arg(Seq, "number of the ask"),
    option: arg(option),
    to_me: arg(to_me),
    from_me: arg(from_me),
    state: arg(state),
    limit: arg(limit),
  },
  {
    ask: {
      needs: ["text"],
      takes: ["to", "options", "going_with", "going_at", "approval", "files", "about"],
      async run(caller, { text = "", to, files: attached, about: tasks, ...asked }) {
        const params = { board: await boardOf(caller) };
        const rest = given({ to: to === undefined ? to : [to], files: attached, about: tasks });
        const asking = { body: text, ask: given(asked), ...rest };
        const message = await caller.call("postMessage", { params, body: asking });
        return { text: await sentText(caller, message, "Asked with"), data: { message } };
      },
    },
    answer: {
      needs: ["message"],
      takes: ["option", "text"],
      run: (caller, { message = 0, option: chosen, text }) =>
        replied(caller, message, text, given({ option: chosen }), "Answered with"),
    },
    withdraw: {
      needs: ["message"],
      takes: ["text"],
      run: (caller, { message = 0, text }) =>
        replied(caller, message, text ?? "Withdrawn.", { withdrawn: true }, "Withdrew with"),
    },
    list: {
      takes: ["to_me", "from_me", "state", "limit"],
      async run(caller, query) {
        const board = await boardOf(caller);
        const list = await caller.call("listAsks", { query: given(query) });
        const head = `${counted(list.asks.length, "ask")}${list.more ? " and more" : ""}`;
        return { text: `${board} · ${head}\n${messagesText(board, list.asks)}`, data: list };
      },
    },
  },
);

/** Replies to an ask. Without words the reply repeats the chosen option. */
async function replied(
  caller: Caller,
  seq: number,
  text: string | undefined,
  answer: { option?: number; withdrawn?: boolean },
  did: string,
) {
  const board = await boardOf(caller);
  const asked = await messageAt(caller, board, seq);
  const chosen = asked.ask?.options[(answer.option ?? 0) - 1];
  // If this is no ask or has no such option, the server refuses the answer and says why.
  const words = text ?? chosen ?? (answer.option ? `Option ${answer.option}.` : "");
  const message = await caller.call("postMessage", {
    params: { board },
    body: { body: words, reply_to: asked.id, answer },
  });
  return { text: await sentText(caller, message, did), data: { message } };
}
