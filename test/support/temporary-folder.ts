import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new folder. It is removed when the test ends that makes it, or the file or `describe` that makes it for all of its
 * tests. `stop` runs before that, and ends what uses the folder.
 */
export function temporaryFolder(stop?: () => Promise<unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), "service-test-"));
  afterAll(async () => {
    await stop?.();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
