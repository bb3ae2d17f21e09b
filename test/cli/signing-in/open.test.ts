import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const ada = newMachine();
const env = { SERVICE_RATE_SCALE: "0" };
const url = (await ada.json(["up"], { env })).server.url;
await ada.ok(["board", "new", "docs"]);
await ada.ok(["say", "hello", "--to", "all", "--me", "--board", "docs"]);
const { task } = await ada.json(["task", "new", "Write it", "--board", "docs"]);
const notes = join(ada.home, "notes.md");
writeFileSync(notes, "# Notes\n");
await ada.ok(["file", "put", notes, "--board", "docs"]);

/** A browser that writes down what it was asked to open. */
const opened = join(ada.home, "opened");
const program = join(ada.home, "browser");
writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > '${opened}'\n`);
chmodSync(program, 0o755);
const browser = { BROWSER: program };
const session = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "a-session" };

/** What a link signs in, as the page reads it. */
async function whomOf(link: string) {
  const { code } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
  const answer = await fetch(`${url}/v1/login-codes/preview`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ code }),
  });
  return ((await answer.json()) as any).person.handle;
}

test("it opens the browser of BROWSER with a link that signs in the person", async () => {
  const shown = await ada.ok(["open"], { env: browser });
  expect(shown.stdout).toBe(`Opened ${url}/ in your browser.\n`);
  const [count, link] = readFileSync(opened, "utf8").trim().split("\n");
  expect(count).toBe("1");
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=abl_[A-Za-z0-9_-]+$/);
  expect(await whomOf(link!)).toBe("ada-l");
});

test("without a browser it prints the link, and `--print` opens none", async () => {
  for (const more of [{}, { BROWSER: join(ada.home, "none") }]) {
    const { stdout } = await ada.ok(["open"], { env: more });
    expect(stdout).toStartWith(
      "Open this link in a browser. It signs you in, once, within a minute:",
    );
    expect(await whomOf(stdout.trim().split(/\s+/).at(-1)!)).toBe("ada-l");
  }
  rmSync(opened, { force: true });
  const printed = await ada.json(["open", "docs", "--print"], { env: browser });
  expect(printed).toEqual({
    server: { name: "local", url },
    server_started: false,
    board: "docs",
    ui_url: `${url}/b/docs`,
    url: expect.stringMatching(/#code=[^&]+&board=docs$/),
    opened: false,
    expires_at: expect.any(String),
  });
  expect(existsSync(opened)).toBe(false);
});

test.each([
  [[], "/", ""],
  [["docs"], "/b/docs", "&board=docs"],
  [["--board", "docs"], "/b/docs", "&board=docs"],
  [["docs#2"], "/b/docs/m/2", "&board=docs&message=2"],
  [["2"], "/b/docs/m/2", "&board=docs&message=2"],
  [[task.ref], `/b/docs/tasks/${task.ref}`, `&board=docs&task=${task.ref}`],
  [[task.ref.toLowerCase()], `/b/docs/tasks/${task.ref}`, `&board=docs&task=${task.ref}`],
  [[task.id], `/b/docs/tasks/${task.ref}`, `&board=docs&task=${task.ref}`],
  [["notes.md"], "/b/docs/files/notes.md", "&board=docs&file=notes.md"],
] as const)("`open %p` leads to %s", async (words, path, named) => {
  const { ui_url, url: link } = await ada.json(["open", ...words, "--print"]);
  expect(ui_url).toBe(url + path);
  expect(link.replace(/code=[^&]+/, "")).toBe(`${url}/#${named}`);
});

test("what is not there is refused before a link is made", async () => {
  expect(await ada.refusal(["open", "nothing"])).toBe("file_not_found");
  expect(await ada.refusal(["open", "--board", "nothing"])).toBe("board_not_found");
  expect(await ada.refusal(["open", "DOC-99"])).toBe("task_not_found");
});

test("a session's browser is opened, and the link stands nowhere", async () => {
  const ran = await ada.ok(["open", "docs", "--json"], { env: { ...session, ...browser } });
  expect(ran.json()).toMatchObject({ opened: true, url: null, ui_url: `${url}/b/docs` });
  expect(ran.stdout + ran.stderr).not.toContain("code=");
  expect(readFileSync(opened, "utf8")).toContain("#code=");
  for (const more of [{}, { BROWSER: "/bin/false" }])
    expect(await ada.refusal(["open", "--print"], { env: { ...session, ...more } })).toBe(
      "browser_unavailable",
    );
});

test("a person on another server needs a key for it", async () => {
  expect(await ada.refusal(["open", "--server", "https://board.example.org"])).toBe(
    "login_required",
  );
});

test("a word that is no place leads to the board that it is like, else to its file's board", async () => {
  await ada.ok(["board", "new", "plans"]);
  const errorOf = async (word: string) =>
    (await ada.run(["open", word, "--print", "--json"])).json().error;
  expect(await errorOf("plns")).toMatchObject({
    code: "board_not_found",
    hint: expect.stringMatching(/^Did you mean `service open plans`\? /),
  });
  expect(await errorOf("zzzzzz.md")).toMatchObject({
    code: "board_not_found",
    hint: expect.not.stringContaining("Did you mean"),
  });
});
