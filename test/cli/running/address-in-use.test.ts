import { expect, test } from "bun:test";
import { newMachineOfProcesses } from "../../support/commands/machine.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test("a server whose port is taken names the setting that it reads itself", async () => {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  temporaryFolder(() => other.stop(true));
  const address = `127.0.0.1:${other.port}`;
  const machine = newMachineOfProcesses();
  const team = ["--public-url", "https://board.example.org", "--listen", address];
  for (const [words, env, setting] of [
    [["serve", ...team], {}, "`--listen HOST:PORT`"],
    [["serve"], { SERVICE_LOCAL_ADDR: address }, "SERVICE_LOCAL_ADDR=127.0.0.1:PORT"],
  ] as const) {
    const { code, stderr } = await machine.run(words, { env });
    expect(stderr).toStartWith(`Error (address_in_use): Another program listens on ${address}.`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(` with ${setting}.`)]);
  }
});

test("an address that this machine does not have is refused with the setting that chooses another", async () => {
  const machine = newMachineOfProcesses();
  const team = ["serve", "--public-url", "https://board.example.org"];
  for (const [words, address, setting] of [
    [["--listen", "203.0.113.9:7400"], "203.0.113.9:7400", "`--listen HOST:PORT`"],
    [["--listen", "127.999.1.1:7400"], "127.999.1.1:7400", "`--listen HOST:PORT`"],
    [
      ["--listen", "127.0.0.1:0", "--metrics", "127.999.1.1:9464"],
      "127.999.1.1:9464",
      "`--metrics 127.0.0.1:PORT`",
    ],
  ] as const) {
    const { code, stderr } = await machine.run([...team, ...words]);
    expect(stderr).toStartWith(
      `Error (address_unusable): The server cannot listen on ${address}: `,
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`\nHint: Choose another address with ${setting}.`),
    ]);
  }
});
