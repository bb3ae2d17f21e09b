import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveOf, madeParts } from "../../support/boards/board-archive.ts";
import { refusalOf, startWorld, type World } from "../../support/servers/server-in-process.ts";

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map(({ name }) => name)
    : [];
const boards = (world: World) =>
  world.db.read((tx) => tx.all("SELECT id FROM board UNION ALL SELECT id FROM stand_in"));

test("wherever the database gets full, an import keeps nothing, and succeeds when there is room", async () => {
  const folder = mkdtempSync(join(tmpdir(), "service-import-"));
  const world = await startWorld({ file: join(folder, "service.db") });
  const archive = archiveOf(madeParts({ messages: 200, files: 3 }));
  const pages = world.db.read(
    (tx) => tx.get<{ n: number }>("SELECT page_count AS n FROM pragma_page_count")!.n,
  );
  let failed = 0;
  for (let more = 0; ; more += 4) {
    world.db.read((tx) => tx.get(`PRAGMA max_page_count = ${pages + more}`));
    const outcome = await world.admin.importBoard({}, archive).catch((error: unknown) => error);
    if (!(outcome instanceof Error)) break;
    expect(outcome).toMatchObject({ status: 500, code: "internal" });
    expect(boards(world)).toEqual([]);
    expect(filesIn(world.filesFolder)).toEqual([]);
    failed++;
  }
  expect(failed).toBeGreaterThan(5);
  expect(world.faults.every(({ code }) => code === "SQLITE_FULL")).toBe(true);
  expect(filesIn(world.filesFolder).length).toBe(3);
  world.faults.length = 0;
  world.stop();
  rmSync(folder, { recursive: true });
});

test("where bytes cannot be written, staged or at their place, nothing is kept, and the next try succeeds", async () => {
  const world = await startWorld();
  const parts = madeParts({ messages: 3, files: 3 });
  const archive = archiveOf(parts);
  mkdirSync(world.filesFolder, { recursive: true });
  const last = [...parts.files.keys()].at(-1)!;
  for (const obstacle of ["incoming", last.slice(0, 2)]) {
    writeFileSync(join(world.filesFolder, obstacle), "");
    const { status, code } = await refusalOf(world.admin.importBoard({}, archive));
    expect([status, code]).toEqual([500, "internal"]);
    rmSync(join(world.filesFolder, obstacle));
    expect(boards(world)).toEqual([]);
    expect(filesIn(world.filesFolder)).toEqual([]);
  }
  await world.admin.importBoard({}, archive);
  expect(filesIn(world.filesFolder).length).toBe(3);
  world.faults.length = 0;
});

test("an upload that breaks off keeps nothing, and does not keep the next import out", async () => {
  const world = await startWorld();
  const archive = archiveOf(madeParts({ messages: 3, files: 1 }));
  const half = new Uint8Array(await archive.arrayBuffer()).subarray(0, 3000);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(half);
      controller.error(new Error("gone"));
    },
  });
  await world.admin.importBoard({}, { size: 0, stream: () => broken } as never).then(
    () => expect.unreachable(),
    () => {},
  );
  expect(filesIn(world.filesFolder)).toEqual([]);
  await world.admin.importBoard({}, archive);
});
