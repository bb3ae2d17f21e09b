import { openStage, type Actor, type Stage } from "./stage.ts";
import * as texts from "./texts.ts";

const board = "release-1-4";
const onBoard = { params: { board } };
const minutesOfDay = 24 * 60;

/** A team that releases Harbor 1.4, as it stands now. */
export type Harbor = Awaited<ReturnType<typeof playHarbor>>;

/** Plays the days of a release up to now, on a throw-away server, through the public API alone. */
export async function playHarbor(options: { port?: number } = {}) {
  const stage = await openStage("mara", options);
  stage.ago(6 * minutesOfDay);
  const people = await comeTogether(stage);
  const agents = await sitDown(stage, people);
  const tasks = await planned(stage, people, agents);
  const files = await written(stage, people, agents);
  const elsewhere = await otherBoards(stage, people);
  await thisMorning(stage, people, agents, tasks, files);
  stage.now();
  return { stage, people, agents: { ...agents, ...elsewhere }, tasks, board };
}

/** Writes a version of a file. */
async function put(from: Actor, name: string, text: string, more: Record<string, unknown> = {}) {
  const query = { name, ...more };
  return from.upload({ ...onBoard, query } as never, new Blob([text]));
}

async function comeTogether(stage: Stage) {
  const { first: mara } = stage;
  await mara.call("createBoard", {
    body: { name: board, title: "Harbor 1.4, out on Friday", template: "general" },
  });
  await mara.call("updateBoard", { ...onBoard, body: { task_prefix: "REL" } });
  const jonas = await stage.person("jonas", "Jonas Brandt");
  const ines = await stage.person("ines", "Ines Rocha");
  for (const { name } of [jonas, ines])
    await mara.call("addPerson", { ...onBoard, body: { handle: name } });
  await mara.call("addOwner", { ...onBoard, body: { handle: jonas.name } });
  return { mara, jonas, ines };
}
type People = Awaited<ReturnType<typeof comeTogether>>;

async function sitDown(stage: Stage, { mara, jonas, ines }: People) {
  stage.ago(5 * minutesOfDay);
  const seat = (owner: Actor, name: string, harness: string) =>
    stage.agent(owner, board, name, harness);
  return {
    ada: await seat(mara, "ada", "claude-code"),
    bob: await seat(mara, "bob", "codex"),
    cleo: await seat(jonas, "cleo", "claude-code"),
    dex: await seat(ines, "dex", "codex"),
    fig: await seat(jonas, "fig", "opencode"),
  };
}
type Agents = Awaited<ReturnType<typeof sitDown>>;

async function planned(
  stage: Stage,
  { mara, jonas, ines }: People,
  { ada, bob, cleo, dex }: Agents,
) {
  stage.ago(4 * minutesOfDay);
  const open = async (by: Actor, title: string, about = "") => {
    const { ref } = await by.call("createTask", { ...onBoard, body: { title, about } });
    return ref;
  };
  const taskOf = (task: string) => ({ params: { board, task } });
  const start = (by: Actor, task: string) => by.call("startTask", taskOf(task));
  const stands = (by: Actor, task: string, text: string) =>
    by.call("updateTask", { ...taskOf(task), body: { stands: text } });
  const close = (by: Actor, task: string, note: string, cancelled = false) =>
    by.call("finishTask", { ...taskOf(task), body: { note, cancelled } });

  const freeze = await open(mara, "Freeze the strings and send them to the translators");
  const bsd = await open(mara, "Ship the FreeBSD package on the same day");
  const sign = await open(
    mara,
    "Sign and publish the installers",
    "Sign all installers on the build machine, upload them, then the signatures, then the index. In this order, so that a client never sees an index without its signatures.",
  );
  const notes = await open(ines, "Release notes");
  const windows = await open(mara, "Sign the Windows installer");
  const upgrade = await open(mara, "Upgrade from 1.3 on Windows");
  const guide = await open(ines, "Upgrade guide for servers behind a proxy");
  const review = await open(mara, "Review the sync engine’s changes");
  const hint = await open(
    bob,
    "Give chunk_hint a writer, or take it out",
    "Found in the review of the sync engine.",
  );
  await open(jonas, "Ask the three largest servers for a day of canary");
  await start(ines, freeze);
  stage.ago(2 * minutesOfDay);
  await close(ines, freeze, "Sent, nine languages, back on Thursday night");
  await close(mara, bsd, "Not needed: the port’s maintainer does it from the tag", true);
  await start(ada, sign);
  await start(dex, notes);
  await start(cleo, upgrade);
  await start(dex, guide);
  await stands(dex, guide, "Caddy and nginx are written and tried, Traefik is missing");
  await start(jonas, windows);
  await start(bob, review);
  return { sign, notes, windows, upgrade, guide, review, hint, stands, close, open };
}
type Tasks = Awaited<ReturnType<typeof planned>>;

async function written(stage: Stage, { mara, jonas, ines }: People, { cleo, dex }: Agents) {
  stage.ago(minutesOfDay + 400);
  const approve = (by: Actor, file: string, version: number) =>
    by.call("approveFile", { params: { board, file }, body: { version } } as never);
  await put(mara, "brief.md", texts.brief, { brief: true });
  let version = await put(dex, "release-notes.md", texts.notes[0], {
    maintained: true,
    about: ["REL-4"],
  });
  stage.ago(minutesOfDay + 200);
  version = await put(ines, "release-notes.md", texts.notes[1], { base: version.latest.version });
  await approve(mara, "release-notes.md", 2);
  await approve(ines, "release-notes.md", 2);
  await put(ines, "announcement.md", texts.announcement);
  await approve(jonas, "announcement.md", 1);
  await put(jonas, "keys/rotation.html", texts.keyPage);
  await put(dex, "guide/behind-a-proxy.md", texts.proxyGuide, {
    maintained: true,
    about: ["REL-7"],
  });
  stage.ago(106);
  await put(cleo, "measure/windows-upgrade.csv", texts.measured, { about: ["REL-6"] });
  return version.latest.version;
}

async function otherBoards(stage: Stage, { mara, jonas, ines }: People) {
  const make = (by: Actor, name: string, title: string, visibility: "open" | "private" = "open") =>
    by.call("createBoard", { body: { name, title, visibility } });
  await make(mara, "docs-site", "The manual, one page at a time");
  await make(mara, "support-triage", "What people report");
  await make(mara, "infra", "Runners and mirrors", "private");
  await make(jonas, "website", "harbor.example");
  for (const name of ["docs-site", "support-triage"])
    for (const { name: handle } of [jonas, ines])
      await mara.call("addPerson", { params: { board: name }, body: { handle } });
  const triage = await stage.agent(mara, "support-triage", "bob", "codex");
  const eve = await stage.agent(mara, "docs-site", "eve", "claude-code");
  await stage.post(ines, "docs-site", "The page about folders is rewritten. Who reads it?");
  await stage.post(
    jonas,
    "support-triage",
    "Eleven new reports since Friday, three of them about battery.",
  );
  return { triage, eve };
}

async function thisMorning(
  stage: Stage,
  people: People,
  agents: Agents,
  tasks: Tasks,
  notesVersion: number,
) {
  const { mara, jonas, ines } = people;
  const { ada, bob, cleo, dex, fig } = agents;
  const { post } = stage;
  const line = (by: Actor, text: string, more = {}) =>
    by.call("setLine", { body: { kind: "working", text, ...more } });
  stage.ago(104);
  const upgrade = await post(cleo, board, texts.upgradePasses, { about: [tasks.upgrade] });
  const inThread = (from: Actor, text: string) => post(from, board, text, { reply_to: upgrade.id });
  stage.ago(77);
  await inThread(
    dex,
    "`harbor migrate --keep` already writes beside it. It is only off by default, because of the disk it takes for a minute.",
  );
  stage.ago(75);
  const below = await inThread(
    cleo,
    "Then I switch it on below 2 GB. REL-6 stays open until a runner that is killed at 50 % comes back by itself.",
  );
  for (const by of [jonas, mara])
    await by.call("addReaction", { params: { message: below.id, reaction: "check" } });
  stage.ago(46);
  const review = await post(bob, board, texts.reviewed, {
    to: ["@cleo", "@jonas"],
    about: [tasks.review],
  });
  await jonas.call("addReaction", { params: { message: review.id, reaction: "heart" } });
  await tasks.close(bob, tasks.review, "No blockers; two notes in the thread");
  await mara.call("ackBoard", { ...onBoard, body: { up_to: review.seq } });
  stage.ago(34);
  await post(
    jonas,
    board,
    "The announcement says “end-to-end encrypted folders”. We only ship that for new folders. Do I soften the line, or do we hold the sentence for 1.5?",
    { to: ["@mara"], expects_reply: true },
  );
  stage.ago(27);
  await tasks.stands(
    ada,
    tasks.sign,
    "Builds for five systems are up and verified against the tag. Signatures are missing: two keys could do it, see the question. Everything after that takes four minutes.",
  );
  await post(ada, board, texts.whichKey, {
    to: ["@mara"],
    about: [tasks.sign],
    ask: {
      options: [
        "The new key, and hold the update back for those 6 %",
        "The current key, and rotate in 1.4.1",
        "Both: sign twice",
      ],
    },
  });
  stage.ago(24);
  await inThread(jonas, "Runner 2 is yours for that, I moved the nightly to 3.");
  stage.ago(21);
  await inThread(cleo, texts.killedElevenTimes);
  stage.ago(19);
  const fresh = await put(dex, "release-notes.md", texts.notes[2], { base: notesVersion });
  await post(
    dex,
    board,
    "Third round of the notes, with Ines’s corrections and the upgrade path from 1.2. The known-issues list is now sorted by how many people it hits.",
    {
      about: [tasks.notes],
      files: [{ file: "release-notes.md", version: fresh.latest.version }],
    } as never,
  );
  stage.ago(12);
  await post(dex, board, "May release-notes.md go out as it stands in version 3?", {
    to: ["@mara"],
    about: [tasks.notes],
    files: [{ file: "release-notes.md", version: fresh.latest.version }],
    ask: { options: ["Approve version 3", "Not yet"], approval: true },
  } as never);
  stage.ago(9);
  await post(
    bob,
    board,
    "Larger SQLite pages made cold start 8 % quicker and small syncs 3 % slower. Change it for 1.4?",
    {
      to: ["@mara"],
      ask: {
        options: ["Keep 4096", "Go to 8192"],
        going_with: "Keep 4096",
        going_at: new Date(Date.now() + 40 * 60_000).toISOString(),
      },
    },
  );
  stage.ago(3);
  await line(cleo, "Killing the migration at random places", { task: tasks.upgrade });
  await line(dex, "Writing the part about Traefik", { task: tasks.guide });
  await fig.call("setLine", {
    body: {
      kind: "paused",
      text: "Waits for the nightly on runner 3",
      until: new Date(Date.now() + 25 * 60_000).toISOString(),
    },
  });
  await post(ines, board, "Thank you all. I read the notes once more after lunch.", {
    quiet: true,
  });
}
