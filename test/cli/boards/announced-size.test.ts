import { expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const server = await clockedServer();

test.each([
  ["more than any disk has", `${Number.MAX_SAFE_INTEGER}`, "disk_full", "room for"],
  ["no number", "many", "board_archive_invalid", "does not say how many"],
  ["without a bound", "1e999", "board_archive_invalid", "does not say how many"],
])(
  "an archive of a size that is %s is refused before a byte of it is written",
  async (_, announced, code, said) => {
    await machine.run(["login", server.url], { stdin: server.world.admin.token });
    await machine.run(["board", "new", "docs"]);
    const folder = join(machine.home, `for-${code}-${announced.length}`);
    mkdirSync(folder);
    let pulled = 0;
    server.between = async (request, answer) => {
      if (!request.url.includes("/export")) return answer();
      const endless = new ReadableStream({
        async pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
          await Bun.sleep(1);
        },
      });
      return new Response(endless, { headers: { "x-archive-bytes": announced } });
    };
    const { error } = (
      await machine.run(["board", "export", "docs", "--json"], { cwd: folder })
    ).json();
    server.between = (_, answer) => answer();
    expect(error.code).toBe(code);
    expect(error.message).toContain(said);
    expect(error.message).toEndWith("Nothing was written.");
    expect(readdirSync(folder)).toEqual([]);
    // The rest was not taken in either.
    const then = pulled;
    await Bun.sleep(100);
    expect(pulled).toBeLessThan(then + 40);
  },
);
