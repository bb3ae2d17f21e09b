import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { atTerminal } from "../../support/commands/answer-at-terminal.ts";
import {
  badGateway,
  clockedServer,
  type ClockedServer,
} from "../../support/servers/server-on-port-with-clock.ts";
import { shortSleeps } from "../../support/commands/run-in-process.ts";
import { newMachine, type Machine, type Started } from "../../support/commands/machine.ts";

// Ada's machine with the server, Grace's, and the machines that ask for a key.
const host = newMachine();
const grace = newMachine("Grace");

const url = (await host.json(["up"], { env: { SERVICE_RATE_SCALE: "0" } })).server.url;
const { link } = await host.json(["invite", "--person"]);
await grace.ok(["connect", link]);

const asking: Started[] = [];
afterEach(() => {
  for (const one of asking.splice(0)) one.kill("SIGINT");
});

const serversFile = ({ home }: Machine) => join(home, "config/servers.json");

/** Starts `connect` on a machine, and gives the code that it shows. */
async function ask({ start }: Pick<Machine, "start">, words: string[], at = url) {
  // The server says how long to wait between two questions, and these come sooner.
  const started = start(["connect", at, ...words], { clock: shortSleeps(20) });
  asking.push(started);
  const isJson = words.includes("--json");
  const shown = await (isJson ? started.warning : started.saying)("Waiting");
  const [, code = ""] = /^ {2}(\w{3}-\w{3})$/m.exec(shown) ?? [];
  return { ...started, shown, code };
}
const errorOf = async (machine: Machine, words: string[]) =>
  (await machine.run([...words, "--json"])).json().error;

test("a machine says who asks, with what code, and how it is approved, and gets a key of its own", async () => {
  const desk = newMachine();
  const { code, shown, end } = await ask(desk, ["--handle", "@ada-l", "--name", "desk"]);
  expect(code).toMatch(/^[0-9A-Z]{3}-[0-9A-Z]{3}$/);
  expect(shown.split("\n")).toEqual([
    `This machine, desk, asks for a key of its own as @ada-l at ${url}. Its code:`,
    "",
    `  ${code}`,
    "",
    `Where @ada-l is signed in: service approve ${code} --server ${url}`,
    `The code works for 5 minutes. With a key at hand instead: service login ${url}`,
    "Waiting. Ctrl-C ends it.",
    "",
  ]);
  const approved = await host.ok(["approve", code, "--yes"]);
  expect(approved.stdout).toContain(`Approved: the machine desk gets a key of its own at ${url}.`);
  const ended = await end();
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toContain(`\nConnected to ${url} as @ada-l (admin), key desk.\n`);
  expect(statSync(serversFile(desk)).mode & 0o777).toBe(0o600);
  expect((await desk.json(["whoami"])).me).toMatchObject({ name: "ada-l", server_role: "admin" });
  const { keys, current_key_id } = await desk.json(["keys"]);
  expect(keys.find(({ id }: any) => id === current_key_id).name).toBe("desk");
  // It does not hang on the key that approved it.
  expect(readFileSync(serversFile(desk), "utf8")).not.toContain(
    readFileSync(join(host.home, "config/owner-token"), "utf8").trim(),
  );
});

test("with --json the code goes to stderr, and stdout has one object; the code is typed in any case", async () => {
  const desk = newMachine();
  const { code, end } = await ask(desk, ["--handle", "ada-l", "--name", "shed", "--json"]);
  const typed = code.toLowerCase().replace("-", "");
  const approved = await host.json(["approve", typed, "--yes"]);
  expect(approved).toMatchObject({
    server: { name: "local" },
    request: { label: "shed", state: "approved", person: { handle: "ada-l" } },
    approved: true,
  });
  const { stdout, code: exit } = await end();
  const connected = JSON.parse(stdout);
  expect(connected).toEqual({
    server: { name: url, url },
    server_id: expect.stringMatching(/^srv_/),
    person: expect.objectContaining({ handle: "ada-l", server_role: "admin" }),
    key: expect.objectContaining({ name: "shed" }),
    default: true,
  });
  expect([exit, connected.key.token]).toEqual([0, undefined]);
  expect(await errorOf(desk, ["connect", url, "--handle", "ada-l"])).toMatchObject({
    code: "already_connected",
    details: { handle: "ada-l" },
  });
});

test("approving asks, and shows that the name is a claim and the age, and no address of the server's own machine", async () => {
  const desk = newMachine();
  const { code, end } = await ask(desk, ["--handle", "ada-l", "--name", "attic", "--json"]);
  const { code: refusal, message, hint } = await errorOf(host, ["approve", code]);
  expect([refusal, hint]).toEqual([
    "confirmation_required",
    `To go on: \`service approve ${code} --json --yes\``,
  ]);
  const [who, what, question] = message.split("\n");
  expect(who).toBe(`A machine asks to act as @ada-l at ${url}.`);
  expect(what).toMatch(
    /^It calls itself attic, which is only its claim, and asked \d+ seconds? ago\.$/,
  );
  const no = await atTerminal(host, ["approve", code], question, "");
  expect([no.code, no.screen]).toEqual([0, expect.stringContaining("Nothing was decided.")]);
  const yes = await atTerminal(host, ["approve", code], question, "y");
  expect(yes.screen).toContain("Approved: the machine attic");
  expect((await end()).code).toBe(0);
});

test("a refused machine is told so, and keeps nothing", async () => {
  const desk = newMachine();
  const { code, end } = await ask(desk, ["--handle", "ada-l", "--json"]);
  expect(await host.refusal(["approve", code, "--refuse"])).toBe("confirmation_required");
  const refused = await host.json(["approve", code, "--refuse", "--yes"]);
  expect(refused).toMatchObject({ request: { state: "refused" }, approved: false });
  const { code: exit, stdout } = await end();
  expect([exit, JSON.parse(stdout).error.code]).toEqual([1, "machine_request_refused"]);
  expect(existsSync(serversFile(desk))).toBe(false);
  expect(await host.refusal(["approve", code, "--yes"])).toBe("machine_request_invalid");
});

test("only the person whom a machine names can approve it", async () => {
  const { code } = await ask(newMachine(), ["--handle", "grace", "--name", "hers", "--json"]);
  for (const typed of [code, "000-000", "nonsense"])
    expect(await host.refusal(["approve", typed, "--yes"])).toBe("machine_request_invalid");
  const approved = await grace.ok(["approve", code, "--yes"]);
  expect(approved.stdout).toContain(`at ${url}.`);
});

test("a handle that nobody has makes a request that nobody can approve, and Ctrl-C ends the wait", async () => {
  const desk = newMachine();
  const { code, kill, end } = await ask(desk.asProcess, ["--handle", "nobody"]);
  expect(await host.refusal(["approve", code, "--yes"])).toBe("machine_request_invalid");
  kill("SIGINT");
  expect(await end()).toMatchObject({
    code: 130,
    stderr: "Stopped: this machine got no key, and approving the code gives it none.\n",
  });
  expect(existsSync(serversFile(desk))).toBe(false);
});

test("what cannot be asked is refused before anything is sent", async () => {
  const desk = newMachine();
  const codeOf = async (...words: string[]) => {
    const ran = await desk.run(["connect", ...words, "--json"]);
    return [ran.code, ran.json().error.code];
  };
  expect(await codeOf(url)).toEqual([2, "invalid_request"]);
  expect(await codeOf(url, "--handle", "ada-l", "--display-name", "Ada")).toEqual([
    2,
    "invalid_request",
  ]);
  expect(await codeOf("http://example.org", "--handle", "ada-l")).toEqual([1, "insecure_server"]);
  expect(await codeOf(url, "--handle", "Not A Handle")).toEqual([1, "handle_invalid"]);
  expect(await codeOf("Join service board b on localhost as member with code 123-456")).toEqual([
    1,
    "invite_link_invalid",
  ]);
  expect(await errorOf(host, ["connect", url, "--handle", "ada-l"])).toMatchObject({
    code: "already_connected",
    message: expect.stringContaining("its own server"),
  });
  expect(existsSync(serversFile(desk))).toBe(false);
});

test("machines are approved and connected by a person, outside of sessions", async () => {
  const env = { CLAUDECODE: "1" };
  for (const words of [
    ["approve", "000-000"],
    ["connect", url, "--handle", "ada-l"],
  ])
    expect(await host.refusal(words, { env })).toBe("human_command_in_session");
});

test("a person whose handle is no handle, or taken, is asked again, and the invitation is used once", async () => {
  const { link } = await host.json(["invite", "--person"]);
  const desk = newMachine("Bo");
  // One answer after the other: the last one is free.
  const { code, screen } = await atTerminal(
    desk,
    ["connect", link],
    "Your handle",
    "Not Good!\nada-l\nbo-2",
  );
  expect(screen).toContain("Not Good! is not a handle");
  expect(screen).toContain("The handle ada-l is taken.");
  expect([code, screen]).toEqual([0, expect.stringContaining(`Connected to ${url} as @bo-2`)]);
});

test("without another answer the refusal of a handle stands, and a given handle is not asked for", async () => {
  const { link } = await host.json(["invite", "--person"]);
  const desk = newMachine("Bo");
  const silent = await atTerminal(desk, ["connect", link], "Your handle", "Not Good!\n");
  expect([silent.code, silent.screen]).toEqual([1, expect.stringContaining("handle_invalid")]);
  const given = await desk.run(["connect", link, "--handle", "Not Good!"]);
  expect([given.code, given.stderr.match(/is not a handle/g)]).toEqual([1, ["is not a handle"]]);
  await desk.ok(["connect", link, "--handle", "bo-3"]);
});

test("a person at a terminal is asked whether commands go to the new server from now on", async () => {
  const other = newMachine("Ida");
  const far = (await other.json(["up"])).server.url;
  const desk = newMachine();
  const { key } = await host.json(["keys", "create", "both"]);
  await desk.ok(["login", url], { stdin: key.token });
  const second = await other.json(["keys", "create", "both"]);
  const noted = await desk.ok(["login", far], { stdin: second.key.token });
  expect(noted.stdout).toContain(`Commands still go to ${url}. For this one: --server ${far}, or `);
  await desk.ok(["servers", "remove", far, "--yes"]);
  const { link } = await other.json(["invite", "--person"]);
  const question = `Commands go to ${url}. Send them to ${far} from now on? [y/N]`;
  const answered = await atTerminal(desk, ["connect", link, "--handle", "ad"], question, "y");
  expect(answered.screen).toContain(`Commands go to ${far} unless --server names another one.`);
  expect((await desk.json(["servers"])).default.url).toBe(far);
});

/** Lets a machine ask again after a second: the shortest time there is. */
const hurried: ClockedServer["between"] = async (request, answer) => {
  const answered = await answer();
  if (!request.url.endsWith("/v1/machine-requests")) return answered;
  const started = (await answered.json()) as object;
  return Response.json({ ...started, poll_interval_seconds: 1 }, { status: answered.status });
};

describe("with a server whose clock is moved", () => {
  let server: ClockedServer;
  beforeEach(async () => {
    server = await clockedServer();
    server.between = hurried;
  });
  const approve = (code: string) =>
    server.world.admin.call("approveMachineRequest", { body: { code } });

  test("a request that nobody approves ends after five minutes", async () => {
    const { end } = await ask(newMachine(), ["--handle", "ana", "--json"], server.url);
    server.world.pass(301);
    const { code, stdout } = await end();
    expect([code, JSON.parse(stdout).error]).toEqual([
      1,
      {
        code: "machine_request_invalid",
        message: `This machine's request at ${server.url} is over, and it got no key.`,
        hint: expect.stringContaining(`\`service connect ${server.url} --handle ana\``),
      },
    ]);
  });

  test("clocks that differ keep nobody from connecting", async () => {
    server.world.clock.now = new Date("2020-01-01T00:00:00.000Z");
    const { code, shown, end } = await ask(newMachine(), ["--handle", "ana"], server.url);
    expect(shown).toContain("The code works for 5 minutes.");
    await approve(code);
    expect((await end()).code).toBe(0);
  });

  test("a server that does not answer for a moment is asked again", async () => {
    let failures = 0;
    server.between = (request, answer) =>
      request.url.endsWith("/collect") && failures++ < 1
        ? Promise.resolve(badGateway())
        : hurried(request, answer);
    const { code, end } = await ask(newMachine(), ["--handle", "ana"], server.url);
    await approve(code);
    expect([(await end()).code, failures]).toEqual([0, 2]);
  });

  test("an invitation whose answer was lost still brings its person in", async () => {
    server.between = async (request, answer) => {
      const answered = await answer();
      return request.url.endsWith("/v1/connect") ? badGateway() : answered;
    };
    const { invite } = await server.world.admin.call("createServerInvite");
    const desk = newMachine();
    const link = `${server.url}/join#${invite}`;
    const connected = await desk.json(["connect", link, "--handle", "ida", "--name", "desk"]);
    expect(connected).toMatchObject({ person: { handle: "ida" }, key: { name: "desk" } });
    expect(await desk.json(["whoami"])).toMatchObject({ me: { name: "ida" } });
  });

  test("an invitation whose answer was lost for longer brings its person in when it is accepted again", async () => {
    server.between = async (request, answer) => {
      if (request.url.endsWith("/v1/connect")) await answer();
      return badGateway();
    };
    const { invite } = await server.world.admin.call("createServerInvite");
    const desk = newMachine();
    const words = ["connect", `${server.url}/join#${invite}`, "--handle", "ivo"];
    const lost = await errorOf(desk, words);
    expect(lost.code).toBe("server_unreachable");
    const pending = join(desk.home, "config/connecting.json");
    expect(statSync(pending).mode & 0o777).toBe(0o600);
    expect(readFileSync(pending, "utf8")).not.toContain(invite);
    server.between = (_, answer) => answer();
    // What is refused before the invitation is looked at tells nothing of it.
    for (const mistyped of [
      [...words.slice(0, -1), "I vo"],
      [...words, "--name", "My Desk"],
      [...words, "--display-name", "x\ty"],
    ])
      expect(await desk.refusal(mistyped)).toMatch(/^(handle_invalid|invalid_request)$/);
    expect(Object.keys(JSON.parse(readFileSync(pending, "utf8")))).toHaveLength(1);
    // A handle that is given now is not the one that the account was made with.
    expect(await desk.json([...words.slice(0, -1), "other"])).toMatchObject({
      person: { handle: "ivo" },
    });
    expect(await desk.json(["whoami"])).toMatchObject({ me: { name: "ivo" } });
    expect(JSON.parse(readFileSync(pending, "utf8"))).toEqual({});
  });

  test("a fault of the server, at redeeming or at asking what came of it, loses nobody the way in", async () => {
    const error = { code: "internal", message: "The server failed.", hint: "Try again." };
    const failing = (path: string) => {
      server.between = async (request, answer) => {
        const answered = await answer();
        const { pathname } = new URL(request.url);
        return pathname === path ? Response.json({ error }, { status: 500 }) : answered;
      };
    };
    const { invite } = await server.world.admin.call("createServerInvite");
    const desk = newMachine();
    const words = ["connect", `${server.url}/join#${invite}`, "--handle", "uma"];
    server.between = async (request, answer) => {
      const answered = await answer();
      const isNext = request.url.endsWith("/v1/connect") || request.url.includes("/v1/me/");
      return isNext ? Response.json({ error }, { status: 500 }) : answered;
    };
    expect(await desk.refusal(words)).toBe("internal");
    failing("/v1/keys");
    expect(await desk.refusal(words)).toBe("internal");
    failing("/v1/connect");
    expect(await desk.json(words)).toMatchObject({ person: { handle: "uma" } });
    const { person_id } = JSON.parse(readFileSync(serversFile(desk), "utf8")).servers[0];
    server.between = (_, answer) => answer();
    expect((await desk.json(["whoami"])).me.id).toBe(person_id);
  });

  test("an invitation that could not be redeemed leaves nothing", async () => {
    server.between = async (request, answer) =>
      request.url.endsWith("/v1/connect") ? badGateway() : answer();
    const { invite } = await server.world.admin.call("createServerInvite");
    const desk = newMachine();
    const link = `${server.url}/join#${invite}`;
    expect(await desk.refusal(["connect", link, "--handle", "ida"])).toBe("server_unreachable");
    expect(existsSync(serversFile(desk))).toBe(false);
    server.between = (_, answer) => answer();
    expect(await desk.refusal(["connect", link, "--handle", "ana"])).toBe("handle_taken");
    const wrong = `${server.url}/join#abi_${"x".repeat(43)}`;
    expect(await desk.refusal(["connect", wrong, "--handle", "ida"])).toBe("invite_invalid");
    const pending = join(desk.home, "config/connecting.json");
    expect(JSON.parse(readFileSync(pending, "utf8"))).toEqual({});
    await desk.ok(["connect", link, "--handle", "ida"]);
  });
});
