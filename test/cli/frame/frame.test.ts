import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { everyCommand, groups } from "../../../src/cli/commands.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { run } = machine;

/** The code of a refusal printed as JSON. */
const codeOf = async (words: string[], env: Record<string, string> = {}) => {
  const { code, ...ran } = await run([...words, "--json"], { env });
  return [code, ran.json().error?.code];
};

describe("a command line that cannot be understood ends with exit code 2", () => {
  test.each([
    ["an unknown command", ["bords"], "Did you mean"],
    ["an unknown part of a group", ["board", "nw", "x"], "board new"],
    ["an unknown flag", ["version", "--jsn"], "--json"],
    ["a flag's missing value", ["status", "--as"], "needs a value"],
    ["a flag as another flag's value", ["status", "--as", "--board", "x"], "needs a value"],
    ["an empty value", ["status", "--as", ""], "--as is empty"],
    ["an empty value among others", ["say", "x", "--to", "@a", "--to="], "--to is empty"],
    ["an empty word that is no choice", ["delivery", ""], "focused, all, humans, off"],
    ["a list as a body", ["api", "createBoard", "--body", "[]"], "not a JSON object"],
    ["a flag before the command", ["--as", "ada", "status"], "before the command"],
    ["a value for a switch", ["version", "--json=yes"], "takes no value"],
    ["a flag given twice", ["status", "--as", "a", "--as", "b"], "given twice"],
    [
      "a part given twice",
      ["api", "listMessages", "board=a", "limit=1", "limit=2"],
      "limit is given",
    ],
    ["one word too many", ["version", "now"], "Unexpected argument: now"],
    ["a list that is asked to list", ["boards", "list"], "Leave it out: `"],
    ["a list with flags that is asked to list", ["agents", "ls"], "Leave it out: `"],
    ["a board without its flag", ["board", "archive", "plan"], "write `--board plan`."],
    ["a missing word", ["board", "new"], "NAME is missing"],
    ["a word that is no choice", ["delivery", "loud"], "focused, all, humans, off"],
    ["a missing choice", ["completion"], "One of bash, zsh, fish, names is missing"],
    ["help after a command", ["board", "help"], "There is no command"],
    ["a relative SERVICE_HOME", ["version"], "absolute path", { SERVICE_HOME: "here" }],
  ] as [string, string[], string, Record<string, string>?][])(
    "%s",
    async (_, words, said, env = {}) => {
      const { stdout, stderr, code } = await run(words, { env });
      expect(stderr).toStartWith("Error (invalid_request): ");
      expect(stderr).toContain("\nHint: ");
      expect(stderr).toContain(said);
      expect([stdout, code]).toEqual(["", env["SERVICE_HOME"] ? 1 : 2]);
    },
  );

  test("with --json the refusal is the one object on stdout", async () => {
    const ran = await run(["bords", "--json"]);
    expect(ran.json().error).toMatchObject({
      code: "invalid_request",
      details: { choices: ["boards"] },
    });
    expect([ran.code, ran.stderr]).toEqual([2, ""]);
  });

  test("--json goes after the command", async () => {
    const ran = await run(["--json", "status"]);
    expect(ran.json().error.message).toContain("before the command");
    expect(ran.code).toBe(2);
    expect((await run(["--json", "--help"])).json().commands).toBeArray();
  });

  test("after -- nothing is a flag", async () => {
    const ran = await run(["version", "--", "--json"]);
    expect(ran.stderr).toContain("Unexpected argument: --json");
  });
});

describe("inside a session", () => {
  const session = { CLAUDECODE: "1" };

  test("a person's command is refused, with the line to run in a terminal", async () => {
    const ran = await run(["keys", "revoke", "old laptop", "--yes", "--json"], { env: session });
    expect(ran.json().error).toMatchObject({
      code: "human_command_in_session",
      hint: "Your person runs this in a terminal: `service keys revoke 'old laptop'`",
    });
    expect(ran.code).toBe(1);
  });

  test("the line to run keeps the agent that it is about, and is one line", async () => {
    const hintOf = async (...words: string[]) =>
      (await run([...words, "--json"], { env: session })).json().error.hint;
    expect(await hintOf("delivery", "off", "--as", "bob")).toEndWith(
      "`service delivery off --as bob`",
    );
    expect(await hintOf("people", "--as=bob")).toEndWith("`service people`");
    expect(await hintOf("pair", "--title", "Read it\nwith the `charter`.")).toEndWith(
      "Meanwhile your person runs it in a terminal: `service pair --title 'Read it'`",
    );
    expect(await codeOf(["read", "--mark-read", "--as", "bob"], session)).toEqual([
      2,
      "invalid_request",
    ]);
  });

  test.each(
    Object.entries({
      SERVICE_SESSION: "claude-code:1",
      CODEX_THREAD_ID: "t",
      CODEX_SANDBOX: "seatbelt",
      SANDBOX_RUNTIME: "1",
    }),
  )("%s marks one", async (name, value) => {
    expect(await codeOf(["people"], { [name]: value })).toEqual([1, "human_command_in_session"]);
  });

  test("a session that no variable names gets no seat, and is told who runs the command where", async () => {
    for (const [code, ...words] of [
      ["agent_session_required", "pair"],
      ["agent_session_required", "board", "new", "x"],
      ["session_unknown", "join", "--board", "x"],
      ["agent_session_required", "pairing", "accept"],
    ]) {
      expect(await codeOf(words, session)).toEqual([1, code]);
      const { stderr } = await run(words, { env: session });
      expect(stderr).toContain("Meanwhile your person runs it in a terminal: ");
    }
  });

  test("nothing falls back to the person's key", async () => {
    for (const words of [["whoami"], ["boards"], ["board", "people"], ["api", "getMe"]])
      expect(await codeOf(words, session)).toEqual([1, "agent_not_selected"]);
  });

  test("a subagent only reads", async () => {
    for (const env of [
      { SERVICE_SUBAGENT: "s" },
      { CODEX_THREAD_ID: "b", CODEX_SESSION_ID: "a" },
    ]) {
      expect(await codeOf(["leave", "--as", "ada"], env)).toEqual([1, "subagent_without_seat"]);
      expect((await run(["version"], { env })).code).toBe(0);
    }
    const main = { CODEX_THREAD_ID: "a", CODEX_SESSION_ID: "a" };
    expect(await codeOf(["leave", "--as", "ada"], main)).toEqual([1, "agent_not_selected"]);
  });

  test("a sandbox without a network starts nothing", async () => {
    const env = { CODEX_SANDBOX_NETWORK_DISABLED: "1", NO_SOCKETS: "1" };
    expect(await codeOf(["up"], env)).toEqual([1, "sandbox_blocks_network"]);
    expect(await codeOf(["daemon", "start"], env)).toEqual([1, "sandbox_blocks_network"]);
    const status = (await run(["status", "--json"], { env })).json();
    expect(status).toMatchObject({ server_running: false, sandbox_blocks_network: true });
  });

  test("a command that a rule lets out of the sandbox has its variables, and works", async () => {
    const machine = newMachine();
    const env = { CODEX_SANDBOX_NETWORK_DISABLED: "1" };
    expect(await machine.json(["daemon", "start"], { env })).toMatchObject({ started: true });
    await machine.ok(["up"], { env });
    const status = await machine.json(["status"], { env });
    expect(status).toMatchObject({ server_running: true, sandbox_blocks_network: false });
  });
});

test("an agent that is selected does not do a person's work", async () => {
  const env = { SERVICE_AGENT: "ada" };
  expect(await codeOf(["people"], env)).toEqual([1, "human_command_in_session"]);
  expect(await codeOf(["people", "--as", "ada"])).toEqual([1, "human_command_in_session"]);
  expect(await codeOf(["pair"], env)).toEqual([1, "agent_session_required"]);
  expect(await codeOf(["board", "new", "x", "--as", "ada"])).toEqual([1, "agent_session_required"]);
  expect(await codeOf(["join", "--board", "x"], env)).toEqual([1, "session_unknown"]);
});

test("http to another machine is refused before a key is read", async () => {
  expect(await codeOf(["login", "http://example.org"])).toEqual([1, "insecure_server"]);
  expect(await codeOf(["connect", "http://example.org/join#abi_x"])).toEqual([
    1,
    "insecure_server",
  ]);
  expect(await codeOf(["login", "https://user@example.org"])).toEqual([2, "invalid_request"]);
  expect(await codeOf(["connect", "https://example.org/x"])).toEqual([1, "invite_link_invalid"]);
  expect(await codeOf(["connect", "https://example.org"])).toEqual([2, "invalid_request"]);
});

test("what is no address is not offered for signing in", async () => {
  for (const [words, env] of [
    [["whoami"], { SERVICE_SERVER: "nope" }],
    [["boards", "--server", "nope"], {}],
  ] as [string[], Record<string, string>][]) {
    const { code, stderr } = await run(words, { env });
    expect(stderr).toStartWith("Error (invalid_request): nope is not the address of a server.");
    expect([code, stderr]).toEqual([2, expect.stringContaining(" servers` lists")]);
  }
});

test("a server without a key here is refused", async () => {
  expect(await codeOf(["boards", "--server", "https://example.org"])).toEqual([
    1,
    "login_required",
  ]);
  expect(await codeOf(["boards"], { SERVICE_SERVER: "https://example.org" })).toEqual([
    1,
    "login_required",
  ]);
  expect(await codeOf(["servers", "use", "https://example.org"])).toEqual([1, "server_unknown"]);
  expect(
    await codeOf(["join", "Join service board b on example.org as member with code 123-456"]),
  ).toEqual([1, "server_unknown"]);
  expect(await codeOf(["join", "me", "up"])).toEqual([1, "join_line_invalid"]);
});

test("help explains every command in the same words", async () => {
  const all = await Promise.all(
    everyCommand().map(async ({ name }) => {
      const { json } = await run(["help", ...name.split(" "), "--json"]);
      const [one, ...more] = json().commands;
      expect([one.name, more]).toEqual([name, []]);
      return one;
    }),
  );
  const usageOf = (wanted: string) =>
    all.find(({ name }: { name: string }) => name === wanted).usage;
  const [one] = all.filter(({ name }: { name: string }) => name === "board new");
  expect(usageOf("say")).toEqual(["service say [TEXT] [flags]"]);
  expect(usageOf("join")).toEqual(["service join [LINE...] [flags]"]);
  expect(one).toMatchObject({ group: "Boards", usage: ["service board new NAME [flags]"] });
  const [help, flag, short] = await Promise.all([
    run(["help", "board", "new"]),
    run(["board", "new", "--help"]),
    run(["board", "new", "x", "-h"]),
  ]);
  expect(help.stdout).toContain("--private");
  expect([flag.stdout, short.stdout, flag.code]).toEqual([help.stdout, help.stdout, 0]);
  const overview = await run(["help"]);
  for (const words of [[], ["--help"], ["-h"]])
    expect((await run(words)).stdout).toBe(overview.stdout);
  expect((await run(["--help", "board", "new"])).stdout).toBe(help.stdout);
  expect((await run(["help", "--help"])).stdout).toStartWith("help: ");
  expect((await run(["board"])).stdout).toContain("board agents-add-people");
});

test("help shows the commands in ten groups, of which none is long", async () => {
  const { stdout } = await run(["help"]);
  expect(stdout.split("\n").filter((line) => /^[A-Z]/.test(line) && !line.includes(":"))).toEqual([
    "Get started",
    "Talk",
    "Tasks",
    "Files",
    "Boards",
    "Agents",
    "People",
    "Sign in",
    "Run",
    "Maintain",
  ]);
  for (const group of groups) {
    const own = everyCommand()
      .filter((one) => one.group === group)
      .map(({ name }) => name);
    expect(own.length, group).toBeLessThanOrEqual(15);
    expect(own.length, group).toBeGreaterThan(0);
  }
});

test("the index of commands loads none of them", async () => {
  const index = join(import.meta.dir, "../../../src/cli/commands.ts");
  const found = new Bun.Transpiler({ loader: "ts" }).scanImports(await Bun.file(index).text());
  expect(found.filter(({ kind }) => kind !== "dynamic-import")).toEqual([]);
  expect(new Set(everyCommand().map(({ name }) => name)).size).toBe(everyCommand().length);
});

test("what help names exists", async () => {
  const names = new Set(everyCommand().map(({ name }) => name));
  for (const { name, load } of everyCommand()) {
    const { default: command } = await load();
    for (const other of command.seeAlso ?? []) expect(names, `${name} → ${other}`).toContain(other);
    for (const [line] of command.examples ?? []) expect(line.startsWith(name)).toBe(true);
  }
});

test("completion knows commands, their parts, flags and choices", async () => {
  const { stdout } = await run(["completion", "bash"]);
  const complete = (words: string[]) =>
    Bun.spawnSync([
      "bash",
      "-c",
      `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _service; echo "\${COMPREPLY[*]}"`,
      "bash",
      "service",
      ...words,
    ])
      .stdout.toString()
      .trim();
  expect(complete(["whoa"])).toBe("whoami");
  expect(complete(["board", "ne"])).toBe("new");
  expect(complete(["board", "new", "x", "--pri"])).toBe("--private");
  expect(complete(["board", "policy", ""])).toStartWith("starter recommended --board");
  expect(complete(["keys", ""]).split(" ")).toEqual(expect.arrayContaining(["create", "--server"]));
  expect(complete(["delivery", "foc"])).toBe("focused");
  expect(complete(["keys", "cr"])).toBe("create");
  expect(complete(["keys", "sess"])).toBe("sessions");
  expect(complete(["keys", "sessions", "e"])).toBe("end");
  expect(complete(["keys", "sessions", "--s"])).toBe("--server");
  expect(complete(["keys", "sessions", "end", "--s"])).toBe("--server");
  expect(complete(["keys", "sessions", "end", "ses_1", "--s"])).toBe("--server");
  expect(complete(["people", "role", "@ada", "ad"])).toBe("admin");
  expect(complete(["help", "keys", "sessions", ""])).toBe("end");
  for (const flag of ["--as", "--to", "--board"]) expect(complete(["say", "x", flag, ""])).toBe("");
  expect(complete(["say", "x", "--urgent", ""])).toContain("--as");
  expect(complete(["help", "boa"])).toBe("boards board");
  expect(complete(["help", "board", "ne"])).toBe("new");
  expect((await run(["completion", "zsh"])).stdout).toContain("'boards:List boards'");
  expect((await run(["completion", "fish"])).stdout).toContain("-a whoami");
});

test.skipIf(!Bun.which("fish"))("fish completes names of three words", async () => {
  const { stdout } = await run(["completion", "fish"]);
  const complete = (line: string) =>
    Bun.spawnSync(["fish", "--no-config", "-c", `${stdout}\ncomplete -C ${JSON.stringify(line)}`])
      .stdout.toString()
      .split("\n")
      .map((candidate) => candidate.split("\t")[0]);
  expect(complete("service keys sessions e")).toContain("end");
  expect(complete("service keys sessions end --")).toEqual(
    expect.arrayContaining(["--server", "--json"]),
  );
  expect(complete("service keys sessions end ")).not.toContain("end");
  expect(complete("service people ro")).toContain("role");
});

test("names of three words are commands like others", async () => {
  const [help, flag] = await Promise.all([
    run(["help", "keys", "sessions", "end"]),
    run(["keys", "sessions", "end", "--help"]),
  ]);
  expect(help.stdout).toStartWith("keys sessions end: Sign one browser out.");
  expect([flag.stdout, flag.code]).toEqual([help.stdout, 0]);
  expect((await run(["keys", "sessions", "--help"])).stdout).toStartWith("keys sessions: ");
  expect((await run(["keys", "session"])).stderr).toContain("keys sessions");
});

test("commands that need no server leave no files", async () => {
  await run(["version"]);
  await run(["servers"]);
  expect(existsSync(join(machine.home, "config"))).toBe(false);
});
