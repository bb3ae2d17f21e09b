import fc from "fast-check";
import type { Client, Given } from "../../../src/client/client.ts";
import type { OperationName, Operations } from "../../../src/contract/index.ts";
import type { Output } from "../../../src/contract/operation.ts";
import { startWorld, type World } from "../servers/server-in-process.ts";
import { citedFiles, fileNames, moveFile } from "./files-of-walk.ts";

const acts = [
  "post",
  "post",
  "post",
  "post",
  "post",
  "reply",
  "reply",
  "reply",
  "ask",
  "ask",
  "ask",
  "ask",
  "answer",
  "answer",
  "answer",
  "withdraw",
  "react",
  "react",
  "takeBack",
  "takeBack",
  "acknowledge",
  "join",
  "join",
  "leave",
  "remove",
  "code",
  "code",
  "revoke",
  "redeem",
  "invite a guest",
  "visit",
  "visit",
  "open a task",
  "open a task",
  "start",
  "start",
  "start",
  "help",
  "help",
  "write",
  "close",
  "give up",
  "give up",
  "move a file",
  "move a file",
  "move a file",
  "deliver",
  "present",
  "line",
  "be reached",
  "be reached",
  "report",
  "title",
  "policy",
  "prefix",
  "come",
  "come",
  "found",
  "found",
  "take off",
  "go",
  "raise",
  "show",
  "archive",
  "restore",
  "restore",
  "delete",
  "rename",
  "banish",
] as const;

/** One act of a walk; its numbers choose who does it and what to, among what there is then. */
export const step = fc.record({
  act: fc.constantFrom(...acts),
  who: fc.nat(1000),
  what: fc.nat(1000),
  how: fc.nat(1000),
});
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const targets = [
  undefined,
  ["all"],
  ["@ana"],
  ["@bo", "@cy"],
  ["role:member"],
  ["owner:ana", "@bo"],
];
const texts = [
  "plain",
  "@bo and @role:member",
  "`@ana` @cy",
  "é 🎉 \u0000",
  "@member @member-2",
  "DOC-1 and doc-2, not `DOC-3`",
];
const guests = ["gus", "eve"];
const handles = ["ana", "bo", "cy", ...guests, "rob"];
const made = ["own", "own-2", "own-3"];
const boards = ["docs", "docs", "docs", "docs", "plaza", ...made];

/** A server with three people on two boards, one ana's and one bo's, and what a walk has met so far. */
export async function startWalk() {
  const world = await startWorld();
  const people: Client[] = [world.admin, await world.person("bo"), await world.person("cy")];
  await world.admin.call("createBoard", { body: { name: "docs", template: "writer-reviewer" } });
  await people[1]!.call("createBoard", { body: { name: "plaza", preset: "recommended" } });
  for (const handle of ["bo", "cy"])
    await world.admin.call("addPerson", { params: { board: "docs" }, body: { handle } });
  for (const handle of ["cy", "ana"])
    await people[1]!.call("addPerson", { params: { board: "plaza" }, body: { handle } });
  return new Walk(world, people);
}

/** What a walk knows: it is the state machine that turns numbers into requests. */
class Walk {
  readonly world: World;
  private readonly people: Client[];
  private readonly agents: { client: Client; id: string; name: string; board: string }[] = [];
  private readonly messages: string[] = [];
  private readonly asks: { id: string; board: string; asker: Client }[] = [];
  private readonly tasks: { task: string; board: string }[] = [];
  private readonly codes: { id: string; board: string; code: string }[] = [];
  /** For each guest: the code that was made last, and the guest once there is one. */
  private readonly visitors: { code?: string; board: string; client?: Client }[] = guests.map(
    () => ({ board: "" }),
  );

  constructor(world: World, people: Client[]) {
    this.world = world;
    this.people = people;
  }

  /** Every agent reads its inbox; one whose seat has ended is refused. */
  async readInboxes(): Promise<void> {
    for (const { client } of this.agents) await this.send(client, "getInbox", {});
  }

  /** Makes one step. A refusal is part of a walk; a fault is not. */
  async make({ act, who, what, how }: Step): Promise<void> {
    this.world.pass(how % 50);
    const members = [...this.people, ...this.agents.map(({ client }) => client)];
    const member = members[who % members.length]!;
    const person = this.people[who % this.people.length]!;
    const agent = this.agents[what % (this.agents.length || 1)];
    const message = this.messages[what % (this.messages.length || 1)];
    const params = { board: boards[how % boards.length]! };
    const reaction = {
      message: message!,
      reaction: how % 2 ? ("eyes" as const) : ("heart" as const),
    };
    const task = this.tasks[what % (this.tasks.length || 1)] ?? { task: "1", board: "docs" };
    switch (act) {
      case "open a task":
        return this.openTask(member, params.board, what, how);
      case "start":
        return this.send(member, "startTask", { params: task });
      case "help":
        return this.send(member, "joinTask", { params: task });
      case "write":
        return this.send(member, "updateTask", {
          params: task,
          body: { about: `why ${how % 3}`, stands: `at ${how % 4}`, title: `T${how % 5}` },
        });
      case "close":
        return this.send(member, "finishTask", {
          params: task,
          body: { note: "over", cancelled: how % 2 === 0 },
        });
      case "give up":
        return this.send(member, "dropTask", {
          params: task,
          body: agent && how % 2 ? { member: agent.name } : { reason: "no time" },
        });
      case "post":
      case "reply":
        return this.post(member, params.board, act === "reply" ? message : undefined, what, how);
      case "ask":
        return this.ask(member, params.board, what, how);
      case "answer":
      case "withdraw": {
        const ask = this.asks[what % (this.asks.length || 1)];
        if (!ask) return;
        const withdrawn = act === "withdraw";
        return this.send(withdrawn && how % 4 ? ask.asker : member, "postMessage", {
          params: ask,
          body: {
            body: "answered",
            reply_to: ask.id,
            ...(withdrawn ? { answer: { withdrawn } } : how % 3 && { answer: { option: how % 3 } }),
          },
        });
      }
      case "react":
        return message ? this.send(member, "addReaction", { params: reaction }) : undefined;
      case "takeBack":
        return message ? this.send(member, "removeReaction", { params: reaction }) : undefined;
      case "acknowledge":
        return this.send(member, "ackBoard", { params, body: { up_to: what % 60 } });
      case "join":
        return this.seat(person, params.board, {
          board: params.board,
          role: how % 2 ? "member" : "writer",
        });
      case "redeem": {
        const code = this.codes[what % (this.codes.length || 1)];
        return code && this.seat(person, code.board, { code: code.code });
      }
      case "invite a guest":
        return this.inviteGuest(member, params.board, what % guests.length);
      case "visit":
        return this.visit(what % guests.length);
      case "leave":
        return agent && how % 4 === 0 ? this.send(agent.client, "leaveAsAgent", {}) : undefined;
      case "remove":
        return agent && how % 4 === 0
          ? this.send(person, "removeAgent", { params: { board: agent.board, member: agent.name } })
          : undefined;
      case "code":
        return this.code(member, params.board);
      case "revoke": {
        const code = this.codes[what % (this.codes.length || 1)];
        if (!code) return;
        const named = { board: code.board, join_code: code.id };
        return this.send(member, "revokeJoinCode", { params: named });
      }
      case "deliver":
        return (
          agent &&
          this.send(person, "setDeliveryMode", {
            params: { board: agent.board, member: agent.name },
            body: { mode: (["all", "off", "focused"] as const)[how % 3]! },
          })
        );
      case "present":
        return this.send(member, "setPresence", {
          body: { presence: how % 2 ? "idle" : "working" },
        });
      case "line":
        if (how % 3 === 0) return this.send(member, "clearLine", {});
        return this.send(member, "setLine", {
          body: {
            kind: how % 3 === 1 ? "working" : "paused",
            text: `T${what}`,
            until: this.world.at(100),
            ...(what % 2 && { task: task.task }),
          },
        });
      case "be reached": {
        await this.send(member, "getMidturnPolicy", {});
        const policy = ([null, "owner-only", "my-agents"] as const)[what % 3]!;
        const body = { policy, ...(how % 3 > 0 && agent && { member_id: agent.id }) };
        return this.send(person, "setMidturnPolicy", { body });
      }
      case "report": {
        const by = { session: "s", boot: "b" };
        const body = { harness: "codex", session_id: `${what}`, folder: "/docs" };
        await this.send(member, "setAgentLocation", { body });
        return this.send(member, "reportDeliveryQueue", {
          body:
            how % 2
              ? { ...by, expected_epoch: how % 3 }
              : { ...by, epoch: 1, revision: 1 + (what % 9), messages: [] },
        });
      }
      case "title":
        return this.send(member, "updateBoard", {
          params,
          body: { title: how % 3 ? `T${what}` : "" },
        });
      case "policy":
        return this.send(person, "updateBoard", {
          params,
          body: {
            policy: { visibility: how % 2 ? "open" : "addressed", broadcast: "everyone" },
            agents_add_people: what % 2 === 0,
          },
        });
      case "prefix":
        return this.send(member, "updateBoard", { params, body: { task_prefix: `P${what % 4}` } });
      case "come":
        return this.send(person, "addPerson", {
          params,
          body: { handle: handles[what % handles.length]! },
        });
      case "found":
        return this.send(person, "createBoard", {
          body: { name: made[what % 3]!, visibility: how % 2 ? "open" : "private" },
        });
      case "take off":
        return this.send(person, "removePerson", {
          params: { ...params, handle: handles[what % handles.length]! },
        });
      case "go":
        return what % 2 ? this.send(person, "leaveBoard", { params }) : undefined;
      case "raise":
        return this.send(person, "addOwner", {
          params,
          body: { handle: handles[what % handles.length]! },
        });
      case "show":
        return this.send(person, "setVisibility", {
          params,
          body: { visibility: what % 2 ? "open" : "private", dry_run: what % 5 === 0 },
        });
      case "archive":
        return this.send(member, "archiveBoard", { params });
      case "restore":
        return this.send(who % 4 ? this.world.admin : member, "restoreBoard", { params });
      case "delete": {
        const board = ["plaza", ...made][what % 4]!;
        if (how % 2) await this.send(person, "archiveBoard", { params: { board } });
        return this.send(person, "deleteBoard", { params: { board } });
      }
      case "move a file":
        return void (await moveFile(member, params.board, what, how));
      case "rename":
        return this.rename(person, handles[what % handles.length]!);
      case "banish":
        return how % 2 === 0
          ? this.banish(handles[what % handles.length]!, what % 5 === 0)
          : undefined;
    }
  }

  private async post(
    by: Client,
    board: string,
    replyTo: string | undefined,
    what: number,
    how: number,
  ) {
    const to = targets[what % targets.length];
    const task = this.tasks[how % (this.tasks.length || 1)]?.task;
    const about = what % 4 === 1 && task ? [task] : what % 8 === 7 ? [] : undefined;
    const { status, data } = await by.send("postMessage", {
      params: { board },
      body: {
        body: texts[how % texts.length]!,
        expects_reply: what % 3 === 0,
        quiet: what % 3 === 1,
        ...(to && { to }),
        ...(replyTo && { reply_to: replyTo }),
        ...(how % 5 === 0 && { files: [{ file: fileNames[what % fileNames.length]! }] }),
        ...(about && { about }),
      },
    });
    if (status === 201) this.messages.push((data as { id: string }).id);
  }

  private async ask(by: Client, board: string, what: number, how: number) {
    const to = [undefined, ["@ana"], ["@bo"], ["@cy"], ["@member"]][what % 5];
    const { task, board: there } = this.tasks[how % (this.tasks.length || 1)] ?? {};
    const approval = how % 3 === 0;
    const { status, data } = await by.send("postMessage", {
      params: { board },
      body: {
        body: "which?",
        ...(approval && { files: citedFiles(what) }),
        ask: {
          options: ["this", "that"].slice(how % 3),
          ...(approval && { approval }),
          ...(what % 2 && { going_with: "this", going_at: "2026-01-01T01:00:00Z" }),
        },
        ...(to && { to }),
        ...(task && there === board && { about: [task] }),
      },
    });
    if (status !== 201) return;
    const { id } = data as { id: string };
    this.messages.push(id);
    this.asks.push({ id, board, asker: by });
  }

  private async openTask(by: Client, board: string, what: number, how: number) {
    const { status, data } = await by.send("createTask", {
      params: { board },
      body: { title: `T${what}`, about: how % 2 ? "why" : "", start: what % 3 === 0 },
    });
    if (status === 201) this.tasks.push({ task: (data as { ref: string }).ref, board });
  }

  private async seat(by: Client, board: string, body: Given<"join">["body"]) {
    const { status, data } = await by.send("join", { body: body! });
    if (status !== 201) return;
    const { token, agent } = data as { token: string; agent: { id: string; name: string } };
    this.agents.push({
      client: this.world.as(token),
      id: agent.id,
      name: agent.name,
      board,
    });
  }

  private async inviteGuest(by: Client, board: string, which: number) {
    const { status, data } = await by.send("createJoinCode", {
      params: { board },
      body: { role: "member", guest: guests[which]! },
    });
    if (status === 201) Object.assign(this.visitors[which]!, { ...data, board });
  }

  private async visit(which: number) {
    const { client, code, board } = this.visitors[which]!;
    if (code === undefined) return;
    if (client) return this.seat(client, board, { code });
    const body = { code, key_name: "machine" };
    const { status, data } = await this.world.as().send("guestJoin", { body });
    if (status !== 201) return;
    const { key, token, agent } = data as Output<Operations["guestJoin"]>;
    const guest = this.world.as(key.token);
    this.visitors[which]!.client = guest;
    this.people.push(guest);
    this.agents.push({
      client: this.world.as(token),
      id: agent.id,
      name: agent.name,
      board,
    });
  }

  private async code(by: Client, board: string) {
    const { status, data } = await by.send("createJoinCode", {
      params: { board },
      body: { role: "member", ttl_seconds: 100 },
    });
    if (status !== 201) return;
    const { id, code } = data as { id: string; code: string };
    this.codes.push({ id, code, board });
  }

  private async rename(by: Client, handle: string) {
    const { data } = await by.send("getMe");
    if (!("name" in data)) return;
    await this.send(by, "renamePerson", { params: { handle: data.name }, body: { handle } });
  }

  /** Removes a person from the server. Somebody new comes, under the same handle if it is free. */
  private async banish(handle: string, dry_run: boolean) {
    const { admin } = this.world;
    const query = { dry_run };
    const { status } = await admin.send("removeFromServer", { params: { handle }, query });
    if (status !== 200 || dry_run) return;
    const { invite } = await admin.call("createServerInvite");
    for (const name of [handle, `new-${this.people.length}`]) {
      const body = { invite, handle: name, key_name: "laptop" };
      const { data } = await this.world.as().send("connect", { body });
      if (!("key" in data) || !("token" in data.key)) continue;
      this.people.push(this.world.as(data.key.token));
      return;
    }
  }

  private async send<N extends OperationName>(by: Client, name: N, input: Given<N>): Promise<void> {
    await by.send(name, input);
  }
}
