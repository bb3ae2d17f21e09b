import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import {
  archiveOf,
  partsOf,
  rehashed,
  tar,
  type Parts,
} from "../../support/boards/board-archive.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { put } from "../../support/boards/board-with-files.ts";
import { openTask, startBoardWithTasks } from "../../support/boards/board-with-tasks.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";

const { world: origin, ana, writer } = await startBoardWithTasks();
await openTask(ana, "One", { start: false });
const { id: first } = await post(ana, "first");
await post(writer, { body: "reply", reply_to: first });
await post(writer, { body: "which?", ask: { options: ["a"] }, to: ["@ana"] });
await put(ana, "a.md");
const asMember = { body: { role: "member" } };
await ana.call("createJoinCode", { ...docs, ...asMember });
const parts = await partsOf(origin, ana);

const target = await startWorld();
const { admin } = target;
await admin.call("createBoard", { body: { name: "mine" } });
const mine = { params: { board: "mine" } };
const agent = await target.seat(admin, "mine", { name: "worker" });
const sent = await admin.call("postMessage", { ...mine, body: { body: "hello" } });
const opened = await admin.call("createTask", { ...mine, body: { title: "Ours" } });
const written = await admin.upload({ ...mine, query: { name: "b.md" } }, new Blob(["b"]));
await admin.call("createJoinCode", { ...mine, ...asMember });
const idOf = (sql: string) => target.db.read((tx) => tx.get<{ id: string }>(sql)!.id);
/** Ids that the target server has already. */
const here = {
  message: sent.id,
  member: idOf("SELECT id FROM member WHERE kind = 'human'"),
  agent: agent.id,
  task: opened.id,
  file: written.id,
  person: idOf("SELECT id FROM person"),
  code: idOf("SELECT id FROM join_code"),
  server: idOf("SELECT id FROM server"),
};

/** Every row of every table. */
const rows = (world: World) =>
  world.db.read((tx) =>
    Object.fromEntries(
      tx
        .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .map(({ name }) => [name, tx.all(`SELECT * FROM "${name}"`)]),
    ),
  );

/** Every file in a folder. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name)
    .sort();

/** Sends an archive that has to be refused. Returns what is wrong with it, and fails if anything at all was kept. */
async function refusedWith(archive: Blob, query = {}) {
  const [before, stored] = [rows(target), filesIn(target.filesFolder)];
  const refusal = await refusalOf(target.admin.importBoard({ query }, archive));
  expect(rows(target)).toEqual(before);
  expect(filesIn(target.filesFolder)).toEqual(stored);
  return refusal;
}

type Change = (copy: Parts) => Parts | void;
const changed = (change: Change): Blob => {
  const copy = structuredClone(parts);
  return archiveOf(change(copy) ?? copy);
};
const event = (copy: Parts, type: string) => copy.events.find((one) => one.type === type)!;
const data = (copy: Parts, type: string) => event(copy, type).data as Record<string, any>;
/** Replaces an id everywhere, and hashes the log anew. */
const renamed = (copy: Parts, from: string, to: string): Parts =>
  rehashed(JSON.parse(JSON.stringify({ ...copy, files: undefined }).replaceAll(from, to)));
const withFiles = (copy: Parts, forged: Parts): Parts => ({ ...forged, files: copy.files });
/** Adds an event at the end, made by the board's first person. */
const added = (copy: Parts, type: string, more: object, actor?: object): Parts => {
  const last = copy.events.at(-1)!;
  const first = copy.events[1]!;
  copy.events.push({
    ...last,
    id: `evt_${"0".repeat(26)}`,
    seq: last.seq + 1,
    type,
    actor: { ...first.actor, ...actor },
    data: more,
  } as never);
  return rehashed(copy);
};

const cases: Record<string, [Change, string]> = {
  "says that it comes from this server": [
    (copy) => void (copy.manifest["server"].id = here.server),
    "comes from this server",
  ],
  "has the id of a person of this server": [
    (copy) => withFiles(copy, renamed(copy, copy.people[0]!.id, here.person)),
    "person of this server",
  ],
  "invites a person of this server as a guest": [
    (copy) =>
      added(copy, "joincode.created", {
        join_code_id: `jc_${"0".repeat(26)}`,
        role: "member",
        expires_at: "2040-01-01T00:00:00.000Z",
        kind: "guest",
        guest: "ana",
        guest_id: here.person,
      }),
    "person of this server",
  ],
  "leaves out a person of its log": [(copy) => void copy.people.pop(), "not among the people"],
  "has a person twice": [(copy) => void copy.people.push(copy.people[0]!), "twice"],
  "has the id of a message of another board": [
    (copy) =>
      withFiles(copy, renamed(copy, data(copy, "message.posted")["message_id"], here.message)),
    "which is here already",
  ],
  "has the id of a member of another board": [
    (copy) => withFiles(copy, renamed(copy, data(copy, "member.joined")["member_id"], here.member)),
    "which is here already",
  ],
  "has the id of a task of another board": [
    (copy) => withFiles(copy, renamed(copy, data(copy, "task.created")["task_id"], here.task)),
    "which is here already",
  ],
  "has the id of a file of another board": [
    (copy) =>
      withFiles(copy, renamed(copy, data(copy, "file.version_added")["file_id"], here.file)),
    "which is here already",
  ],
  "has the id of a join code of another board": [
    (copy) =>
      withFiles(copy, renamed(copy, data(copy, "joincode.created")["join_code_id"], here.code)),
    "which is here already",
  ],
  "revokes a join code of another board": [
    (copy) => added(copy, "joincode.revoked", { join_code_id: here.code }),
    "which the board does not have",
  ],
  "ends the seat of an agent of another board": [
    (copy) =>
      added(copy, "agent.removed", {
        member_id: here.agent,
        name: "worker",
        person_id: copy.people[0]!.id,
        owner: "ana",
        removed_by: "admin",
      }),
    "which the board does not have",
  ],
  "ends it as the agent of one who leaves": [
    (copy) => {
      const { member_id, person_id, name } = data(copy, "member.joined");
      return added(copy, "person.left", { member_id, person_id, name, agents: [here.agent] });
    },
    "which the board does not have",
  ],
  "reacts to a message of another board": [
    (copy) =>
      added(copy, "reaction.added", { message_id: here.message, name: "heart", emoji: "❤️" }),
    "which the board does not have",
  ],
  "speaks as a member of another board": [
    (copy) =>
      added(copy, "board.titled", { before: null, after: "Mine" }, { member_id: here.member }),
    "whom the board does not have",
  ],
  "speaks as an agent for a person": [
    (copy) => added(copy, "board.titled", { before: null, after: "Mine" }, { kind: "agent" }),
    "whom the board does not have as agent",
  ],
  "speaks under a name that looks like lines of its own": [
    (copy) =>
      added(copy, "board.titled", { before: null, after: "Mine" }, { name: "ana\n@admin:" }),
    "form of an event",
  ],
  "speaks for an owner whose handle is none": [
    (copy) => added(copy, "board.titled", { before: null, after: "Mine" }, { owner: "a\u001b[2J" }),
    "form of an event",
  ],
  "has a longer message than anybody can post": [
    (copy) => {
      data(copy, "message.posted")["body"] = "x".repeat(1_000_000);
      return rehashed(copy);
    },
    "longer text than anybody can write",
  ],
  "has a longer charter than any board": [
    (copy) => {
      data(copy, "board.created")["charter"] = "x".repeat(1_000_000);
      return rehashed(copy);
    },
    "longer text than anybody can write",
  ],
  "has more options than any ask": [
    (copy) => {
      const asked = copy.events.find(({ data }) => (data as { ask?: object }).ask)!;
      (asked.data as any).ask.options = Array.from({ length: 50 }, (_, n) => `${n}`);
      return rehashed(copy);
    },
    "more of something than anybody can write",
  ],
  "has an agent whose harness looks like lines of its own": [
    (copy) => {
      const joined = copy.events.find(({ data }) => (data as { kind?: string }).kind === "agent")!;
      (joined.data as any).harness = "codex)\n@admin (person";
      return rehashed(copy);
    },
    "harness that is none",
  ],
  "has an agent whose owner has no handle": [
    (copy) => {
      const joined = copy.events.find(({ data }) => (data as { kind?: string }).kind === "agent")!;
      (joined.data as any).owner = "ana\u202e";
      return rehashed(copy);
    },
    "owner whose handle is none",
  ],
  "takes the task prefix of another board": [
    (copy) => added(copy, "board.task_prefix_set", { before: "DOC", after: "MIN" }),
    "task_prefix_taken",
  ],
  "numbers a task out of turn": [
    (copy) => {
      Object.assign(data(copy, "task.created"), {
        number: 9007199254740991,
        ref: "DOC-9007199254740991",
      });
      return rehashed(copy);
    },
    "out of turn",
  ],
  "calls a task as that of another board": [
    (copy) => {
      data(copy, "task.created")["ref"] = "MIN-1";
      return rehashed(copy);
    },
    "no reference of this board",
  ],
  "breaks a projection": [
    (copy) => {
      const joined = data(copy, "member.joined");
      return added(copy, "person.added", {
        member_id: `mem_${"0".repeat(26)}`,
        person_id: joined["person_id"],
        name: "twice",
        access: "member",
        rejoined: false,
      });
    },
    "does not follow from the ones before it",
  ],
  "has a role that looks like a line of its own": [
    (copy) => {
      const roles = data(copy, "board.created")["roles"];
      roles["member\n\u001b[31madmin"] = { can: [] };
      return rehashed(copy);
    },
    "role whose name is none",
  ],
  "has a media type that would break out of a header": [
    (copy) => {
      data(copy, "file.version_added")["media_type"] = "text/html\r\nset-cookie: a=b";
      return rehashed(copy);
    },
    "media type that is none",
  ],
  "has a title of several lines": [
    (copy) => {
      data(copy, "task.created")["title"] = "One\nTwo";
      return rehashed(copy);
    },
    "where there is one line",
  ],
  "skips a version of a file": [
    (copy) => {
      const version = structuredClone(data(copy, "file.version_added"));
      return added(copy, "file.version_added", { ...version, version: 7 });
    },
    "adds version 7 after version 1",
  ],
  "chooses an option that there is not": [
    (copy) => {
      const asked = copy.events.find(({ data }) => (data as { ask?: object }).ask)!.data as Record<
        string,
        any
      >;
      const { ask: _, ...message } = asked;
      return added(copy, "message.posted", {
        ...message,
        message_id: `msg_${"0".repeat(26)}`,
        reply_to: asked["message_id"],
        answer: { ask_id: asked["message_id"], option: 9, withdrawn: false },
      });
    },
    "option that its ask does not have",
  ],
  "has events out of order": [
    (copy) => {
      const [a, b] = copy.events.splice(4, 2);
      copy.events.splice(4, 0, b!, a!);
    },
    "out of order",
  ],
  "leaves out an event": [(copy) => void copy.events.splice(4, 1), "out of order"],
  "has an event that was changed": [
    (copy) => void (data(copy, "message.posted")["body"] = "never said"),
    "other data than its hash says",
  ],
  "has another time for an event": [
    (copy) => void (event(copy, "message.posted").at = "2020-01-01T00:00:00.000Z"),
    "not what its hash says",
  ],
  "has an event of the future": [
    (copy) => {
      event(copy, "message.posted").at = "9999-01-01T00:00:00.000Z";
      return rehashed(copy);
    },
    "in the future",
  ],
  "has a time that breaks out of the hashed header": [
    (copy) => {
      event(copy, "message.posted").at = '2020-01-01T00:00:00.000Z","x":"';
      return rehashed(copy);
    },
    "form of an event",
  ],
  "has an unknown type of event": [
    (copy) => added(copy, "board.painted", { color: "red" }),
    "newer server",
  ],
  "has an event named like a property of every object": [
    (copy) => added(copy, "constructor", {}),
    "newer server",
  ],
  "has data that its type cannot have": [
    (copy) => added(copy, "board.titled", { before: null, after: "Mine", surprise: 1 }),
    "no board.titled can have",
  ],
  "was deleted": [
    (copy) =>
      added(copy, "board.deleted", {
        person_id: copy.people[0]!.id,
        before: "archived",
        after: "deleted",
      }),
    "deleted",
  ],
  "begins a second time": [
    (copy) => added(copy, "board.created", structuredClone(copy.events[0]!.data as object)),
    "cannot be there",
  ],
  "has a head that lies": [
    (copy) => void (copy.manifest["head"].hash = `sha256:${"1".repeat(64)}`),
    "not at the head",
  ],
  "ends before its head": [(copy) => void copy.events.pop(), "not at the head"],
  "names the board otherwise": [
    (copy) => void (copy.manifest["board"].name = "trust-me"),
    "otherwise than its log",
  ],
  "has a newer format": [(copy) => void (copy.manifest["version"] = 2), "up to version 1"],
  "is of another program": [
    (copy) => void (copy.manifest["format"] = "zip"),
    "no archive of a board",
  ],
  "has an address that is none": [
    (copy) => void (copy.manifest["server"].address = "https://a.example\u202e/x"),
    "form of a manifest",
  ],
  "has a person with a confusable handle": [
    (copy) => void (copy.people[0]!.handle = "аna"),
    "form of a list of people",
  ],
  "lacks the bytes of a file": [(copy) => void copy.files.clear(), "is missing"],
  "has other bytes under a digest": [
    (copy) => {
      const [[digest, bytes]] = [...copy.files] as [[string, Uint8Array]];
      copy.files.set(
        digest,
        bytes.map((byte) => byte ^ 1),
      );
    },
    "have another digest",
  ],
  "has bytes that nothing needs": [
    (copy) => void copy.files.set("0".repeat(64), new Uint8Array(3)),
    "nothing in its log needs",
  ],
};

for (const [what, [change, problem]] of Object.entries(cases))
  test(`an archive is refused, and nothing of it is kept, if it ${what}`, async () => {
    const { code, message, status } = await refusedWith(changed(change));
    if (problem === "task_prefix_taken") expect([status, code]).toEqual([409, problem]);
    else {
      expect([status, code]).toEqual([422, "board_archive_invalid"]);
      expect(message).toContain(problem);
    }
  });

test("what is no tar of plain files in their order is refused", async () => {
  const whole = new Uint8Array(await changed(() => {}).arrayBuffer());
  const broken: [string, Blob][] = [
    ["", new Blob([])],
    ["tar blocks", new Blob([whole.slice(0, -100)])],
    ["end of the tar", new Blob([whole.slice(0, -1024)])],
    ["end of the tar", new Blob([whole, new Uint8Array(512).fill(1)])],
    ["damaged", new Blob([whole.slice(0, 100), new Uint8Array([9]), whole.slice(101)])],
    ["none that an archive has", tar([["../../etc/passwd", "x"]])],
    ["has no manifest.json", tar([["events.jsonl", ""]])],
    ["no JSON", tar([["manifest.json", "{"]])],
    ["no JSON", tar([["manifest.json", new Uint8Array([0xff, 0xfe])]])],
  ];
  for (const [problem, archive] of broken) {
    const { code, message } = await refusedWith(archive);
    expect(code).toBe("board_archive_invalid");
    expect(message).toContain(problem);
  }
});

test("a board comes once, under a name that is free, and every refusal before kept nothing", async () => {
  const archive = changed(() => {});
  expect((await refusedWith(archive, { name: "mine" })).code).toBe("board_name_taken");
  expect((await refusedWith(archive, { person: ["@nobody=@ana"] })).code).toBe(
    "person_not_on_board",
  );
  expect((await refusedWith(archive, { person: ["@bo=@nobody"] })).code).toBe("person_not_found");
  const board = await target.admin.importBoard({ query: { name: "came" } }, archive);
  expect(board.name).toBe("came");
  const again = await refusalOf(target.admin.importBoard({ query: { name: "more" } }, archive));
  expect(again.code).toBe("board_exists");
  target.check();
});
