import { expect } from "bun:test";
import type { Output } from "../../../../src/contract/operation.ts";
import type { Operations } from "../../../../src/contract/index.ts";
import { refusalOf } from "../../../support/servers/server-in-process.ts";
import type { MessageModel } from "../model.ts";
import type { Reading, View } from "../registry.ts";
import {
  askState,
  inboxOf,
  needsReplyOf,
  readable,
  reads,
  repliesOf,
  stateOf,
  threadsOf,
  toReader,
  unreadOf,
} from "../rules.ts";
import { pick } from "../scene.ts";

type Shown = Output<Operations["listMessages"]>["messages"][number];

/** How many events of a log are the newest of it. */
const newest = 12;

const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);
const nameOf = ({ board }: View, id: string) => board.members.get(id)!.name;
const inBoard = ({ board }: View) => ({ params: { board: board.name } });

/** Holds a message as it is shown to what its reader may see of it and of its thread. */
function expectShown(view: View, shown: Shown, { id, root, ...message }: MessageModel): void {
  const { board, me } = view;
  const replies = root === id ? repliesOf(board, me, id) : [];
  expect(shown).toMatchObject({
    id,
    seq: message.seq,
    to: message.to,
    body: message.body,
    reply_to: message.replyTo,
    from: { name: nameOf(view, message.sender) },
    thread_root: root === id ? null : root,
    reply_count: replies.length,
    last_reply_at: replies.at(-1)?.at ?? null,
  });
  const reactions = [...message.reactions].filter(([, by]) => by.length > 0);
  const seen = (list: readonly (readonly [string, readonly string[]])[]) =>
    list.map(([name, by]) => `${name}: ${by.toSorted().join(" ")}`).toSorted();
  expect(seen(shown.reactions.map(({ name, by }) => [name, by]))).toEqual(
    seen(reactions.map(([name, by]) => [name, by.map((member) => nameOf(view, member))])),
  );
}

/** Reads pages until there are no more. */
async function everyPage(view: View, query: object, limit: number, from = 0): Promise<Shown[]> {
  const messages: Shown[] = [];
  for (let after: number | null = from; after !== null;) {
    const asked = { ...inBoard(view), query: { ...query, after, limit } };
    const page: Output<Operations["listMessages"]> = await view.actor.client.call(
      "listMessages",
      asked,
    );
    messages.push(...page.messages);
    after = page.next_after;
  }
  return messages;
}

const pages: Reading = {
  name: "pages of messages",
  async check(view) {
    const { board, me, turn, whole } = view;
    const from = whole ? 0 : Math.max(board.head - newest, 0);
    const visible = readable(board, me).filter(({ seq }) => seq > from);
    const shown = await everyPage(view, {}, 8 + (turn % 100), from);
    expect(ids(shown)).toEqual(ids(visible));
    shown.forEach((message, index) => expectShown(view, message, visible[index]!));
    const by = pick([...board.members.values()], turn)!;
    const filters: [query: object, wanted: MessageModel[]][] = [
      [{ to_me: true }, toReader(board, me)],
      [{ from: by.name }, readable(board, me).filter(({ sender }) => sender === by.id)],
    ];
    const [query, wanted] = filters[turn % 2]!;
    expect(ids(await everyPage(view, query, 3 + (turn % 40)))).toEqual(ids(wanted));
  },
};

const boardItself: Reading = {
  name: "the board's counts",
  async check(view) {
    const { board, me, actor, scene } = view;
    const now = scene.world.clock.now.toISOString();
    const record = await actor.client.call("getBoard", inBoard(view));
    const counted = me.kind === "human" || board.visibility === "open";
    const all = [...board.messages.values()];
    expect(record).toMatchObject({
      head_seq: board.head,
      task_prefix: board.prefix,
      visibility: board.private ? "private" : "open",
      lifecycle: board.archived ? "archived" : "active",
      policy: { visibility: board.visibility, broadcast: board.broadcast },
      message_count: counted ? all.length : null,
      last_message_at: counted ? (all.at(-1)?.at ?? null) : null,
      read_up_to: board.positions.get(me.id)!,
      unread: unreadOf(board, me),
      tasks_open: [...board.tasks.values()].filter((task) => stateOf(task) === "open").length,
    });
    const waiting = me.kind === "human" ? needsReplyOf(board, me, now) : undefined;
    expect(record.needs_reply).toBe(waiting as number);
    const open = all.filter(
      (message) => message.ask?.to === me.id && askState(board, message, now) === "open",
    );
    const blocks = open.filter(({ ask }) => ask!.blocking).length;
    expect(record.asks_to_me).toEqual(
      me.kind === "human" ? { blocking: blocks, going_with: open.length - blocks } : undefined!,
    );
  },
};

const threads: Reading = {
  name: "threads",
  async check(view) {
    const { board, me, actor } = view;
    const visible = threadsOf(board, me);
    const { threads: shown } = await actor.client.call("listThreads", {
      ...inBoard(view),
      query: { limit: 200 },
    });
    expect(shown.map(({ root }) => root.id)).toEqual(visible.map(({ root }) => root.id));
    shown.forEach(({ root, participants }, index) => {
      const thread = visible[index]!;
      expectShown(view, root, thread.root);
      const names = [thread.root, ...thread.replies].map(({ sender }) => nameOf(view, sender));
      expect(participants).toEqual([...new Set(names)]);
    });
  },
};

const oneMessage: Reading = {
  name: "one message, its replies and whom it has reached",
  async check(view) {
    const { board, me, actor, turn } = view;
    const all = [...board.messages.values()].toReversed();
    const hidden = all.filter((one) => !reads(board, me, one));
    const message = pick(turn % 2 && hidden.length ? hidden : all, turn * 7);
    if (!message) return;
    const one = { params: { message: message.id } };
    const receipts = { params: { board: board.name, seq: message.seq } };
    if (!reads(board, me, message)) {
      for (const attempt of [
        actor.client.call("getMessage", one),
        actor.client.call("listReplies", one),
        actor.client.call("getReceipts", receipts),
      ])
        expect((await refusalOf(attempt)).code).toBe("message_not_found");
      return;
    }
    const replies = repliesOf(board, me, message.root);
    const shown = await actor.client.call("listReplies", { ...one, query: { limit: 200 } });
    expect(ids(shown.replies)).toEqual(ids(replies));
    const root = board.messages.get(message.root)!;
    expect(shown.root?.id).toBe((reads(board, me, root) ? root.id : undefined) as string);
    const read = await actor.client.call("getMessage", one);
    expectShown(view, read.message, message);
    const passed = (member: string) => board.positions.get(member)! >= message.seq;
    const members = (message.recipients ?? []).map((id) => board.members.get(id)!);
    expect(
      read.recipients.map(({ member, state, reply_ids }) => [member.name, state, reply_ids]),
    ).toEqual(
      members
        .filter(({ kind }) => kind === "agent")
        .map(({ id, name }) => {
          const own = replies.filter(
            ({ replyTo, sender }) => replyTo === message.id && sender === id,
          );
          return [name, own.length ? "replied" : passed(id) ? "received" : "pending", ids(own)];
        }),
    );
    const reached = await actor.client.call("getReceipts", receipts);
    expect(reached.to_everyone).toBe(message.recipients === null);
    expect(reached.recipients.map(({ member, state }) => [member.name, state])).toEqual(
      members
        .filter(({ active }) => active)
        .map(({ id, name, kind }) => [
          name,
          passed(id) ? (kind === "agent" ? "received" : "read") : "pending",
        ]),
    );
  },
};

const searching: Reading = {
  name: "search",
  async check(view) {
    const { board, me, actor, turn } = view;
    const q = ["common", "alpha", "comm* delta", '"common gamma"'][turn % 4]!;
    const words = q.replace(/comm\*|"/g, "").split(" ");
    const wanted = readable(board, me).filter(({ body }) =>
      words.every((word) => body.includes(word)),
    );
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { q, limit: 40, ...(cursor && { cursor }) };
      const page: Output<Operations["searchBoard"]> = await actor.client.call("searchBoard", {
        ...inBoard(view),
        query,
      });
      expect(page.complete).toBe(true);
      found.push(...ids(page.hits));
      cursor = page.next;
    }
    expect(found.toSorted()).toEqual(ids(wanted).toSorted());
  },
};

const events: Reading = {
  name: "the log",
  async check(view) {
    const { board, me, actor, whole } = view;
    const from = whole ? 0 : Math.max(board.head - newest, 0);
    const hidden = ({ type, data }: View["board"]["log"][number]) =>
      (type === "message.posted" || type === "reaction.added" || type === "reaction.removed") &&
      !reads(board, me, board.messages.get(data.message_id)!);
    const shown = [];
    for (let after: number | null = from; after !== null;) {
      const asked = { ...inBoard(view), query: { after, limit: 200 } };
      const page: Output<Operations["listEvents"]> = await actor.client.call("listEvents", asked);
      shown.push(...page.events);
      after = page.next_after;
    }
    const query = { newest: true, limit: 3 };
    const back = await actor.client.call("listEvents", { ...inBoard(view), query });
    expect(back.events).toEqual(shown.slice(-3));
    expect(
      shown.map(({ seq, type, data, data_withheld }) => [seq, type, data, data_withheld]),
    ).toEqual(
      board.log.slice(from).map((event) => {
        const { seq, type, data } = event;
        return hidden(event) ? [seq, type, undefined, true] : [seq, type, data, undefined];
      }) as never,
    );
  },
};

const inbox: Reading = {
  name: "an agent's inbox",
  async check(view) {
    const { board, me, actor } = view;
    if (me.kind === "human") return;
    const { messages, cursor } = await actor.client.call("getInbox", { query: { limit: 200 } });
    expect(ids(messages)).toEqual(ids(inboxOf(board, me)));
    expect(cursor).toBe(board.positions.get(me.id)!);
  },
};

/** What members read of messages, by every operation. */
export const messageReadings: readonly Reading[] = [
  pages,
  boardItself,
  threads,
  oneMessage,
  searching,
  events,
  inbox,
];
