import { refuse } from "../../contract/refusal.ts";
import { listMessages } from "../../contract/messages.ts";
import type { OutputOf } from "../../contract/index.ts";
import { Seq } from "../../contract/scalars.ts";
import { plainLine } from "../../agent-text/text-element.ts";
import { boardOf, given, messageAt } from "../common.ts";
import { call, counted, messagesText, messageText } from "../texts.ts";
import { arg, toolOf } from "../tool.ts";
import { fileText } from "./file.ts";

const { after, before, from, to_me, task, limit } = listMessages.query!.properties;

/** Reads the board without moving the agent's position. */
export const read = toolOf(
  "read",
  "Read your board: messages (newest unless after), a message's thread, one message with who got it, people, or the brief. Acknowledges nothing.",
  {
    message: arg(Seq, "number"),
    after: arg(after, "message number"),
    before: arg(before),
    from: arg(from, "sender"),
    to_me: arg(to_me),
    task: arg(task, "e.g. DOC-7"),
    limit: arg(limit),
  },
  {
    messages: {
      takes: ["after", "before", "from", "to_me", "task", "limit"],
      async run(caller, args) {
        const params = { board: await boardOf(caller) };
        const query = { ...given(args), ...(args.after === undefined && { newest: true }) };
        const page = await caller.call("listMessages", { params, query });
        const filters = given({ from: args.from, to_me: args.to_me, task: args.task });
        const older = { do: "messages", ...filters, before: page.prev_before };
        const newer = { do: "messages", ...filters, after: page.next_after };
        const text = [
          messagesText(page.board, page.messages),
          ...(page.prev_before === null ? [] : [`Older: ${call("read", older)}`]),
          ...(page.next_after === null ? [] : [`Newer: ${call("read", newer)}`]),
        ].join("\n");
        return { text, data: page };
      },
    },
    thread: {
      needs: ["message"],
      takes: ["after", "limit"],
      async run(caller, { message: seq = 0, ...query }) {
        const board = await boardOf(caller);
        const params = { message: (await messageAt(caller, board, seq)).id };
        const thread = await caller.call("listReplies", { params, query: given(query) });
        const all = [
          ...(thread.root && query.after === undefined ? [thread.root] : []),
          ...thread.replies,
        ];
        const next = { do: "thread", message: seq, after: thread.next_after };
        const text = [
          messagesText(board, all),
          ...(thread.next_after === null ? [] : [`More: ${call("read", next)}`]),
        ].join("\n");
        return { text, data: thread };
      },
    },
    message: {
      needs: ["message"],
      async run(caller, { message: seq = 0 }) {
        const { id } = await messageAt(caller, await boardOf(caller), seq);
        const found = await caller.call("getMessage", { params: { message: id } });
        const states = found.recipients.map(({ member, state }) => `@${member.name} ${state}`);
        const text = [messageText(found.message), ...(states.length ? [states.join(", ")] : [])];
        return { text: text.join("\n"), data: found };
      },
    },
    people: {
      async run(caller) {
        const board = await boardOf(caller);
        const answer = await caller.call("listMembers", { params: { board } });
        const text = [`${board} · ${counted(answer.members.length, "member")}`];
        return { text: [...text, ...answer.members.map(memberLine)].join("\n"), data: answer };
      },
    },
    brief: {
      async run(caller) {
        const board = await boardOf(caller);
        const { brief } = await caller.call("getBoard", { params: { board } });
        if (!brief) throw refuse("file_not_found", { file: "brief.md", board });
        return fileText(caller, board, brief.file_id, brief.version);
      },
    },
  },
);

type Member = OutputOf<"listMembers">["members"][number];

function memberLine({ name, kind, role, owner, state, line, current_task }: Member): string {
  return [
    `@${name}`,
    kind === "human" ? "person" : `agent${owner ? ` of @${owner}` : ""}`,
    ...(role ? [role] : []),
    ...(state ? [state] : []),
    ...(current_task ? [current_task.ref] : []),
    ...(line ? [`“${plainLine(line.text)}”`] : []),
  ].join(" · ");
}
