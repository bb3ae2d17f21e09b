import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";

const checkout = resolve(import.meta.dir, "../..");
const readme = readFileSync(join(checkout, "README.md"), "utf8");
const home = temporaryFolder();
const env = { PATH: process.env["PATH"]!, HOME: home, SERVICE_HOME: home, USER: "ana" };

const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
const [alias = ""] = blocks;
/** The block of the other terminal: it goes on until Ctrl-C. */
const watching = blocks.findIndex((block) => block.includes("service watch"));
const before = blocks.slice(0, watching).join("\n");
const after = blocks.slice(watching + 1).join("\n");

/** Starts a terminal in the checkout: bash, as a person has it, that stops at the first command that fails. */
function terminal(commands: string) {
  return Bun.spawn(["bash", "-e", "-O", "expand_aliases", "-c", commands], {
    cwd: checkout,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  });
}

async function run(commands: string): Promise<string> {
  const shell = terminal(commands);
  const [printed, complaints, code] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  expect(code, `${commands}\n${printed}${complaints}`).toBe(0);
  return printed;
}

/** Reads until `text` has come. */
async function until(stream: ReadableStream<Uint8Array>, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let printed = "";
  for await (const chunk of stream) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.includes(text)) return printed;
  }
  throw new Error(`it ended without "${text}": ${printed}`);
}

let joining = "";
let elsewhere = "";
let watched = "";
let talking = "";
let code: number | null = null;

beforeAll(async () => {
  joining = await run(before);
  // The number of the question is taken from the inbox: it is another one after another invitation.
  await run(`${alias}\nservice invite --board plans`);
  elsewhere = await run(
    `${alias}\ncd docs\nservice version\nservice file put nowhere.md --board plans 2>&1 || true`,
  );
  const watcher = terminal(blocks[watching]!);
  // Ctrl-C comes as soon as that is seen: a watcher to which nobody listens ends by itself.
  const seen = until(watcher.stdout, "Send it over.").then((printed) => {
    process.kill(-watcher.pid, "SIGINT");
    return printed;
  });
  talking = await run(`${alias}\n${after}`);
  watched = await seen;
  code = await watcher.exited;
}, 60_000);

test("the README makes a board, and two agents take their seats on it", () => {
  expect(joining).toContain("Agent scribe is on board plans");
  expect(joining).toContain("Agent critic is on board plans");
});

test("one agent asks, the other finds it in its inbox, and the answer comes back to the one that waits", () => {
  expect(talking).toContain('from="@scribe"');
  expect(talking).toMatch(/A reply to #8:\n.* from="@critic" .*\nIt is\. Send it over\./);
});

test("the person sees it go by, until Ctrl-C ends it", () => {
  expect(watched).toContain("Is the plan ready for review?");
  expect([0, 130]).toContain(code!);
});

test("the record is verified", () => {
  expect(talking).toContain("The log holds");
});

test("a task waits for the answer to an ask, a file is approved, and the search finds both", () => {
  expect(talking).toContain("Opened and started PLA-1 on plans: Write the release notes");
  expect(talking).toContain("1 in progress · 1 blocked");
  expect(talking).toMatch(/Answered #\d+ with #\d+ to @scribe on plans · about PLA-1/);
  expect(talking).toContain("You approve notes.md version 1 on plans");
  expect(talking).toMatch(/\nplans · 1 task · 1 file\n/);
});

test("the alias works in any folder, and files are those of that folder", () => {
  expect(elsewhere).toContain("service 0.1.0");
  expect(elsewhere).toContain("There is no file nowhere.md here.");
});

test("the server stops", () => {
  expect(talking).toContain("stopped");
});
