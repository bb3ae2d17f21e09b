import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { longestDaemonLine } from "../../src/client/machine/daemon-wire.ts";
import { daemonJournal } from "../../src/client/machine/daemon-files.ts";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";

test("a daemon that has bound a thousand seats still says what it is, and which seats open sessions hold", async () => {
  const there = await startDaemonOnDocs();
  await there.session();
  const path = daemonJournal(there.machine.folders);
  await there.stop();
  const db = new Database(path);
  db.run("BEGIN");
  for (let n = 0; n < 1_000; n++) {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    db.run(
      "INSERT INTO session (harness, id, boot, open, turned) VALUES ('fake', ?, 'boot', 0, 1)",
      [id],
    );
    db.run(
      "INSERT INTO seat (server, member_id, board, name, harness, session, generation) VALUES ('https://board.example.com', ?, ?, 'writer', 'fake', ?, 1)",
      [`mem_01KDVDNA00MG98BY56Y9${String(n).padStart(6, "0")}`, `board-number-${n}`, id],
    );
  }
  db.run("COMMIT");
  db.close();
  await there.start();
  const { status } = await there.ask({ op: "status" });
  expect(status!.open_sessions).toBe(1);
  expect(status!.bindings).toContainEqual(
    expect.objectContaining({ agent: there.writer, open: true }),
  );
  expect(JSON.stringify(status).length).toBeLessThan(longestDaemonLine);
});
