import { test } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { factsFile, type Capability, type Fact } from "./capability-list.ts";
import { reasonToSkip, versionOf, type Package } from "./programs.ts";

/** Declares the tests of a harness. Where it cannot run they are skipped, with the reason on stderr. */
export function provesFor(harness: Package) {
  const reason = reasonToSkip(harness);
  if (reason !== null) console.error(`The tests of ${harness} are skipped: ${reason}`);
  /** A test that proves a capability. */
  return (
    capability: Capability,
    name: string,
    run: () => Promise<void>,
    milliseconds?: number,
  ): void =>
    test.skipIf(reason !== null)(
      name,
      async () => {
        const what = { harness, version: versionOf(harness), capability };
        let passed = false;
        try {
          await run();
          passed = true;
        } finally {
          mkdirSync(dirname(factsFile), { recursive: true });
          const fact: Fact = { ...what, passed };
          appendFileSync(factsFile, `${JSON.stringify(fact)}\n`);
        }
      },
      ...(milliseconds === undefined ? [] : [milliseconds]),
    );
}
