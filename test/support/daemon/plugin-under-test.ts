import { afterAll } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInFile } from "../../../src/client/harnesses/built-in-files.ts";
import { opencodeProfile } from "../../../src/client/harnesses/opencode.ts";
import { daemonSocket } from "../../../src/client/machine/daemon-files.ts";
import { extensionHarness } from "../../../src/daemon/extensions/extension-harness.ts";
import { systemClock } from "../../../src/daemon/loop/clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until, untilTrue } from "../wait-until.ts";
import type { Daemon } from "./daemon-on-docs.ts";
import type { HarnessUnderTest } from "./harness-under-test.ts";
import { playedOpencode, type PlayedOpencode } from "./played-opencode.ts";

/** Writes the plugin as it is installed, for a daemon of a test, and gives the function that writes one more file of it. */
export function installPlugin(machine: Daemon["machine"]): () => string {
  const folder = temporaryFolder();
  const program = join(folder, "service");
  const socket = daemonSocket(machine.folders, machine.system.userId);
  writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify({ socket })}'\n`);
  chmodSync(program, 0o700);
  // The daemon of these tests calls its harness otherwise.
  const text = builtInFile("opencode-plugin.js", { program })!.replaceAll(
    /opencode(?=[":])/g,
    "fake",
  );
  let files = 0;
  return () => {
    const file = join(folder, `plugin-${++files}.js`);
    writeFileSync(file, text);
    return file;
  };
}

/** opencode's plugin as it is installed, in processes of opencode that the test plays: one for each session. */
export const pluginUnderTest: HarnessUnderTest = {
  name: "opencode's plugin",
  make: () => ({
    adapter: extensionHarness({ ...opencodeProfile, harness: "fake" }, systemClock, () => {}),
    drive(there) {
      const newPlugin = installPlugin(there.machine);
      const sessions = new Map<string, PlayedOpencode>();
      const at = (session: string): PlayedOpencode => sessions.get(session)!;

      const isKnown = async (session: string): Promise<boolean> =>
        (await there.ask({ op: "status" })).status!.bindings.some(
          (one) => one.session === `fake:${session}` && one.open,
        );
      const isOpen = (session: string) =>
        there.ask({ op: "agents", session }).then(
          () => true,
          () => false,
        );
      /** Waits until the daemon knows whether a turn runs: it tells the server. */
      const reported = (presence: string) =>
        untilTrue(async () => {
          const { members } = await there.world.admin.call("listMembers", {
            params: { board: "docs" },
          });
          return members.some((one) => one.name === "writer" && one.presence === presence);
        }, `the presence ${presence}`);
      afterAll(async () => {
        for (const played of sessions.values()) await played.quit();
      });

      return {
        async open(session) {
          const played = sessions.get(session) ?? playedOpencode(session);
          sessions.set(session, played);
          await played.start(newPlugin());
          await untilTrue(() => isOpen(session), "the session to be open");
        },
        async close(session) {
          await at(session).quit();
          await untilTrue(async () => !(await isKnown(session)), "the end of the session");
        },
        async type(session) {
          await at(session).type("hello");
          await reported("working");
        },
        woken: (session) => until(() => at(session).isWoken(), "a turn", 4_000),
        tool: (session) => at(session).tool(),
        answer: (session) => at(session).answer(),
        async fail(session) {
          await reported("working");
          await at(session).fail();
          await reported("idle");
        },
        loseNext: (session) => at(session).loseNext(),
        isBusy: (session) => at(session).isBusy(),
        read: (session) => at(session).read,
        answered: (session) => at(session).answered,
      };
    },
  }),
};
