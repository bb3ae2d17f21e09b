import { expect, test } from "bun:test";
import { operationNames } from "../../src/contract/index.ts";
import type { World } from "../support/servers/server-in-process.ts";
import {
  boards,
  classes,
  credentials,
  type BoardKind,
  type Credential,
  type Row,
  type Verdict,
} from "../support/access-matrix/expected-answers.ts";
import { rowOf } from "../support/access-matrix/operations-by-class.ts";
import {
  setAccessScene,
  type AccessScene,
} from "../support/access-matrix/boards-and-credentials.ts";
import { asked, secondForms, type Sample } from "./operations.ts";
import { stored, type Heard } from "../support/raw-requests.ts";

const names = Object.keys(asked);

const onBoard = (row: Row, board: BoardKind): Verdict =>
  typeof row === "string" ? row : row[boards.indexOf(board)]!;

/** What a cell is to be: the class's verdict, or that of the operation's last exception to it. */
function expected(name: string, credential: Credential, board: BoardKind): string {
  const verdict = onBoard(rowOf(name, credential), board);
  if (verdict !== "ok") return verdict;
  const { ok } = asked[name]!;
  return typeof ok === "string" ? ok : ok[board];
}

/** What is refused before anything else of a request is read, the credential and its kind, wherever it asks. */
const early =
  /^401 |^403 (agent_removed|forbidden|(human_token|agent_token|browser_session)_required|origin_not_allowed|csrf_token_invalid)$/;
/** What a malformed request gets: what its credential is refused with, else that it is malformed. Boards are not looked at. */
function expectedMalformed({ of }: Sample, credential: Credential): string {
  if (credential === "agentOfDeletedBoard") return "404 board_not_found";
  const verdict = rowOf(of, credential);
  return typeof verdict === "string" && early.test(verdict) ? verdict : "400 invalid_request";
}

/** Says whether anything was stored since it was last asked. What is counted is cheap, and looked into when it moved. */
async function startWatch(world: World) {
  const counted = () =>
    world.db.read((tx) => tx.get<{ n: number }>("SELECT total_changes() AS n"))!.n;
  let [count, rows] = [counted(), await stored(world)];
  return async () => {
    if (counted() === count) return false;
    const now = await stored(world);
    const changed = !Bun.deepEquals(now, rows);
    [count, rows] = [counted(), now];
    return changed;
  };
}
type Watch = Awaited<ReturnType<typeof startWatch>>;

interface Site {
  readonly scene: AccessScene;
  readonly changed: Watch;
}
async function open(): Promise<Site> {
  const scene = await setAccessScene();
  return { scene, changed: await startWatch(scene.world) };
}
const shared = await open();

/** Answers outside their schema, refusals that their operation does not declare, and faults. */
function complaints(world: World): string[] {
  try {
    world.check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Refusals that must not tell a hidden or deleted board from one that never was. */
const untold = ["404 board_not_found", "404 message_not_found"];

/** Asks for one sample as one credential about every board, and says what is not as it should be. */
async function walkBoards({ scene, changed }: Site, name: string, credential: Credential) {
  const sample = asked[name]!;
  const found: Partial<Record<BoardKind, Heard>> = {};
  const wrong: string[] = [];
  let spent = false;
  const malformed = (await scene.ask(sample, credential, "open", { malformed: true })).verdict;
  const fitting = expectedMalformed(sample, credential);
  if (malformed !== fitting)
    wrong.push(`${name} / ${credential} / malformed: expected ${fitting}, got ${malformed}`);
  for (const board of boards) {
    const cell = `${name} / ${credential} / ${board}`;
    const heard = (found[board] = await scene.ask(sample, credential, board));
    const wanted = expected(name, credential, board);
    if (heard.verdict !== wanted) wrong.push(`${cell}: expected ${wanted}, got ${heard.verdict}`);
    if (heard.status >= 500) wrong.push(`${cell}: a fault, ${heard.text}`);
    if (await changed()) {
      spent = true;
      if (heard.status >= 400) wrong.push(`${cell}: refused, and yet something was written`);
      if (scene.reads(sample)) wrong.push(`${cell}: a reading that changed something`);
    }
  }
  // It is told of its own board, whatever it asks about.
  const shown = (heard: Heard, board: BoardKind) =>
    credential === "agentOfDeletedBoard" ? heard.text : scene.unnamed(heard, board);
  const never = found.missing!;
  for (const board of boards) {
    const heard = found[board]!;
    if (!untold.includes(heard.verdict) || heard.verdict !== never.verdict) continue;
    const alike =
      shown(heard, board) === shown(never, "missing") &&
      Bun.deepEquals(heard.headers, never.headers);
    if (!alike) wrong.push(`${name} / ${credential} / ${board}: told apart from a missing board`);
  }
  return { wrong, spent, cells: Object.keys(found).length };
}

test.each(names)(
  "%s answers every credential about every board as its class and its exceptions say",
  async (name) => {
    const spends = asked[name]!.spends === true;
    // For a sample that changes what others are asked about: used until it has.
    let unspent: Site | null = null;
    // A search that finds the index behind the log brings it up, as the server does by itself.
    while (await shared.scene.world.indexing.fill());
    await shared.changed();
    const wrong: string[] = [];
    let cells = 0;
    for (const credential of credentials) {
      const site = spends ? (unspent ??= await open()) : shared;
      const walked = await walkBoards(site, name, credential);
      wrong.push(...walked.wrong);
      cells += walked.cells;
      await site.scene.world.db.write(() => null);
      if (await site.changed()) wrong.push(`${name} / ${credential}: written after its answer`);
      wrong.push(...complaints(site.scene.world));
      if (spends && walked.spent) {
        site.scene.world.stop();
        unspent = null;
      }
    }
    expect(wrong).toEqual([]);
    expect(cells).toBe(32 * 6);
  },
  30_000,
);

test("every operation is asked, as every credential and about every board", () => {
  expect(new Set(credentials).size).toBe(32);
  expect(new Set(boards).size).toBe(6);
  expect(names).toEqual(expect.arrayContaining(operationNames));
  expect(names.length).toBe(operationNames.length + secondForms);
});

test("every class is somebody's, and no exception repeats its class", () => {
  expect(new Set(Object.values(asked).map(({ access: [className] }) => className))).toEqual(
    new Set(Object.keys(classes) as (keyof typeof classes)[]),
  );
  const idle = Object.entries(asked).flatMap(
    ([
      name,
      {
        access: [className, ...exceptions],
      },
    ]) =>
      exceptions.flatMap(({ gets }) =>
        (Object.entries(gets) as [Credential, Row][])
          .filter(([credential, row]) =>
            boards.every(
              (board) => onBoard(row, board) === onBoard(classes[className][credential], board),
            ),
          )
          .map(([credential]) => `${name} / ${credential}`),
      ),
  );
  expect(idle).toEqual([]);
});
