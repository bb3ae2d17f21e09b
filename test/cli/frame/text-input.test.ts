import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const main = join(import.meta.dir, "../../../src/main.ts");
const machine = newMachine();
const { json, ok, run } = machine;
const as = ["--as", "ada"];

beforeAll(() => ok(["pair", "--board", "docs", "--name", "ada"]));

/** Runs a command of the shell, and gives its exit code and the object that it prints. */
async function inShell(command: string) {
  const child = Bun.spawn(["sh", "-c", command], { env: machine.env, stdout: "pipe" });
  const answer: any = await new Response(child.stdout).json();
  return { code: await child.exited, answer };
}

test.each([",", "@ada-l,", " , "])(
  "a message to %p, of which a part names nobody, is not sent to everyone",
  async (to) => {
    const ran = await run(["say", "for one person", "--to", to, ...as]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("target of `--to` is empty");
    expect((await json(["read", ...as])).messages).toEqual([]);
  },
);

test("what is piped in and is not UTF-8 is not sent", async () => {
  const command = `printf 'caf\\351' | "${process.execPath}" "${main}" say --as ada --json`;
  const { code, answer } = await inShell(command);
  expect(answer.error.message).toContain("UTF-8");
  expect(code).toBe(2);
  expect((await json(["read", ...as])).messages).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "an argument that is not UTF-8 is not sent, and one that holds a replacement character is",
  async () => {
    const said = (text: string) => {
      const command = `exec "${process.execPath}" "${main}" say "$(printf '${text}')" --as ada --json`;
      return inShell(command);
    };
    const garbled = await said("caf\\351");
    expect(garbled.answer.error.message).toContain("UTF-8");
    expect(garbled.code).toBe(2);
    expect((await json(["read", ...as])).messages).toEqual([]);
    const meant = await said("\\357\\277\\275 é");
    expect(meant.answer.message.body).toBe("\ufffd é");
  },
);

test("line breaks within what is piped in are kept, those at its end are not", async () => {
  const { message } = await json(["say", ...as], { stdin: "one\r\ntwo\n\r\n" });
  expect(message.body).toBe("one\r\ntwo");
});

test("a text without an end is refused as too large, and so are a body for `api` and a key for `login`", async () => {
  const code = async (words: string) => {
    const command = `exec "${process.execPath}" "${main}" ${words} --json < /dev/zero`;
    return (await inShell(command)).answer.error.code;
  };
  expect(await code("say --as ada")).toBe("message_too_large");
  expect(await code("api postMessage --body - --as ada")).toBe("message_too_large");
  expect(await code("login local")).toBe("key_invalid");
});
