import { t } from "../../contract/schema.ts";
import { limit, Seq } from "../../contract/scalars.ts";
import { isInbox } from "../../agent-text/shapes.ts";
import { plainLine } from "../../agent-text/text-element.ts";
import { given } from "../common.ts";
import { call, counted, messagesText } from "../texts.ts";
import { arg, tool } from "../tool.ts";

/** Longest wait of a tool, in seconds. Clients give a call up after a minute. */
export const longestWait = 50;

const notUnderstood = () =>
  Object.assign(
    new Error("The server answers what this program does not understand. None of it is shown."),
    {
      code: "server_unreachable",
      hint: "Tell your person: it is of another version, or not to be trusted.",
    },
  );

/** Reads what waits for the agent. It is acknowledged by a later call, so nothing that a model never saw is lost. */
export const inbox = tool(
  "inbox",
  "Read the messages waiting for you, or wait for the next. They come again until you acknowledge them.",
  {
    ack: arg(Seq, "first acknowledge messages up to this number"),
    wait: arg(t.Integer({ minimum: 0, maximum: longestWait }), "seconds"),
    limit: arg(limit),
  },
  {
    async run(caller, { ack, ...query }) {
      if (ack !== undefined) await caller.call("ackInbox", { body: { up_to: ack } });
      const answer = await caller.call("getInbox", { query: given(query) });
      if (!isInbox(answer)) throw notUnderstood();
      const { board, messages, more, work } = answer;
      const last = messages.at(-1)?.seq;
      const task = work.current_task;
      return {
        text: [
          ...(last === undefined
            ? [`Nothing new on ${board}.`]
            : [
                `${board} · ${counted(messages.length, "message")}${more ? " and more" : ""}`,
                messagesText(board, messages),
                `When you have dealt with ${messages.length === 1 ? "it" : "them"}: ${call("inbox", { ack: last })}`,
              ]),
          ...(task ? [`Your task: ${task.ref} ${plainLine(task.title)}`] : []),
        ].join("\n"),
        data: answer,
      };
    },
  },
);
