import { describe, expect, test } from "bun:test";
import { newMachine, type Machine } from "../../support/commands/machine.ts";

// Ada has the server and the board demo, with her agents writer and rex; Grace is on it with her agent scout.
const ada = newMachine();
const grace = newMachine("Grace");

const env = { SERVICE_RATE_SCALE: "0" };
const paired = await ada.json(["pair", "writer-reviewer", "--board", "demo"], { env });
const url = paired.server.url;
await ada.ok(["join", paired.join.line, "--name", "rex"]);
await grace.ok(["connect", (await ada.json(["invite", "--person", "--board", "demo"])).link]);
const { join_line: line } = await grace.json(["invite", "--board", "demo"]);
await grace.ok(["join", line, "--name", "scout"]);

const errorOf = async ({ run }: Machine, words: string[], options = {}) => {
  const { code, json } = await run([...words, "--json"], options);
  return { exit: code, ...json().error };
};
const requested = async (...more: string[]) =>
  (await ada.json(["pairing", "request", "@grace", "Review the draft", "--as", "rex", ...more]))
    .request;
const stateOf = async ({ json }: Machine, id: string) =>
  (await json(["pairing", "show", id])).request.state;

describe("service pairing request", () => {
  test("asks a person for a session, for the agent that is named", async () => {
    const answer = await ada.json(["pairing", "request", "@grace", "Review it", "--as", "rex"]);
    expect(answer).toEqual({
      server: { name: "local", url },
      board: "demo",
      agent: "rex",
      request: expect.objectContaining({ state: "awaiting_endpoint", work: "Review it" }),
    });
    const { stdout } = await ada.ok(["pairing", "request", "grace", "Again", "--as", "@rex"]);
    expect(stdout).toMatch(/^Asked @grace to work with rex on demo, until .*: prq_\w+\n/);
    expect(stdout).toMatch(/pairing show prq_/);
  });

  test("takes a person's only agent, and names those of several", async () => {
    const { agent } = await grace.json(["pairing", "request", "ada-l", "x", "--board", "demo"]);
    expect(agent).toBe("scout");
    const several = await errorOf(ada, ["pairing", "request", "@grace", "x", "--board", "demo"]);
    expect(several).toMatchObject({
      exit: 1,
      code: "agent_ambiguous",
      details: { choices: ["writer", "rex"] },
    });
    expect(several.hint).toContain("`--as NAME`");
    await grace.ok(["board", "new", "empty"]);
    const none = await errorOf(grace, ["pairing", "request", "me", "x", "--board", "empty"]);
    expect(none).toMatchObject({ code: "agent_not_selected" });
    expect(none.hint).toContain("service invite --board empty");
  });

  test("goes to the server that is named, for an agent that is named with its board", async () => {
    const words = ["pairing", "request", "@grace", "x", "--as", "rex", "--server", url];
    expect((await ada.run(words)).code).toBe(2);
    const there = await ada.json([...words, "--board", "demo"]);
    expect(there).toMatchObject({ server: { url }, agent: "rex" });
    const elsewhere = ["--server", "http://127.0.0.1:9", "--board", "demo"];
    expect(await ada.refusal([...words.slice(0, -2), ...elsewhere])).toBe("login_required");
  });

  test("in a session the agent asks for itself, and `me` is its person", async () => {
    const session = { env: { CLAUDECODE: "1", SERVICE_AGENT: "rex" } };
    const { request, agent } = await ada.json(["pairing", "request", "me", "Tests"], session);
    expect(agent).toBe("rex");
    expect(request.inviter_id).toBe(request.recipient_id);
    const selected = { env: { SERVICE_AGENT: "writer" } };
    const own = await ada.json(["pairing", "request", "@grace", "Tests"], selected);
    expect(own.agent).toBe("writer");
  });

  test("passes on who is not there, and refuses an empty text and a missing one", async () => {
    const words = ["pairing", "request", "@nobody", "x", "--as", "rex"];
    expect(await ada.refusal(words)).toBe("person_not_found");
    expect((await ada.run(["pairing", "request", "@grace", " ", "--as", "rex"])).code).toBe(2);
    expect((await ada.run(["pairing", "request", "@grace", "--as", "rex"])).code).toBe(2);
    expect((await ada.run(["pairing", "ask"])).code).toBe(2);
  });
});

describe("service pairing", () => {
  test("lists the caller's requests, and a board's", async () => {
    const { id } = await requested();
    const { requests, server } = await grace.json(["pairing"]);
    expect(server).toEqual({ name: url, url });
    expect(requests.map((each: any) => each.id)).toContain(id);
    expect(await grace.json(["pairing", "list"])).toEqual({ server, requests });
    expect((await grace.json(["pairing", "--board", "empty"])).requests).toEqual([]);
    const { stdout: asked } = await grace.ok(["pairing"]);
    expect(asked).toMatch(
      new RegExp(`${id} +awaiting endpoint +demo +from @ada-l +Review the draft\\n`),
    );
    const { stdout } = await ada.ok(["pairing", "--board", "demo"]);
    expect(stdout).toMatch(
      new RegExp(`${id} +awaiting endpoint +demo +to @grace +Review the draft\\n`),
    );
    const nobody = newMachine("Nobody");
    const invited = await ada.json(["invite", "--person"]);
    await nobody.ok(["connect", invited.link]);
    expect((await nobody.ok(["pairing"])).stdout).toContain("No pairing requests at ");
  });

  test("lists those of every server, each with the command that leads there, unless one is chosen", async () => {
    const ida = newMachine("Ida");
    const own = await ida.json(["pair", "--board", "home", "--name", "one"]);
    await ida.ok(["connect", (await ada.json(["invite", "--person"])).link]);
    await ida.ok(["servers", "use", "local"]);
    const { request } = await ida.json(["pairing", "request", "me", "Tests", "--as", "one"]);
    const asked = await ada.json(["pairing", "request", "@ida", "Review", "--as", "rex"]);
    const { requests, server, servers } = await ida.json(["pairing"]);
    expect([server.url, requests.length, requests[0].id]).toEqual([own.server.url, 1, request.id]);
    expect(servers.map((each: any) => [each.server.url, each.requests[0].id])).toEqual([
      [own.server.url, request.id],
      [url, asked.request.id],
    ]);
    const { stdout } = await ida.ok(["pairing", "list"]);
    expect(stdout).toContain(`1 pairing request at ${own.server.url}:\n  ${request.id} `);
    expect(stdout).toContain(`1 pairing request at ${url}:\n  ${asked.request.id} `);
    expect(stdout).toMatch(new RegExp(`pairing show ID --server ${url}$`, "m"));
    const there = await ida.json(["pairing", "--server", url]);
    expect([there.requests.length, there.servers]).toEqual([1, undefined]);
    const { stdout: home } = await ida.ok(["pairing", "--board", "home"]);
    expect([home.includes(request.id), home.includes(url)]).toEqual([true, false]);
    expect((await ida.run(["pairing", "--all-servers", "--as", "one"])).code).toBe(2);
  });

  test("of an agent lists what its person has a part in on its board", async () => {
    const { id } = await requested();
    const { requests } = await grace.json(["pairing", "--as", "scout"]);
    expect(requests.map((each: any) => each.id)).toContain(id);
    const { stdout } = await grace.ok(["pairing", "--as", "scout"]);
    expect(stdout).toMatch(new RegExp(`${id} +awaiting endpoint +demo +from @ada-l +Review`));
  });

  test("says which requests are one's own on both sides, and which wait for a newcomer", async () => {
    const { request } = await ada.json(["pairing", "request", "me", "Tests", "--as", "rex"]);
    const words = ["--board", "demo", "--pairing", "Later", "--agent", "rex"];
    const { pairing_request_id: id } = await ada.json(["invite", "--person", ...words]);
    const { stdout } = await ada.ok(["pairing"]);
    expect(stdout).toMatch(new RegExp(`${request.id} +awaiting endpoint +demo +own +Tests`));
    expect(stdout).toMatch(new RegExp(`${id} +awaiting account +demo +to a newcomer +Later`));
    expect((await ada.ok(["pairing", "show", id])).stdout).toContain(
      "  demo · to a newcomer · agent rex · generation 1\n",
    );
  });

  test("of one board says so where there are none on it", async () => {
    await requested();
    const { stdout } = await grace.ok(["pairing", "list", "--board", "elsewhere"]);
    expect(stdout).toContain("No pairing requests on elsewhere at ");
  });

  test("show says what a request waits for, and keeps its words in their place", async () => {
    const { id } = (
      await ada.json([
        "pairing",
        "request",
        "@grace",
        "Line one\nservice pairing accept\u001b[2J",
        "--as",
        "rex",
      ])
    ).request;
    const { stdout } = await grace.ok(["pairing", "show", id]);
    expect(stdout.split("\n")).toEqual([
      `${id} · awaiting endpoint`,
      "  demo · from @ada-l · agent rex · generation 1",
      expect.stringMatching(/^ {2}waits for both sides until /),
      "  proposes:",
      "    Line one",
      "    service pairing accept",
      "  Run it in the session that is to take part. It selects that session and accepts.",
      expect.stringContaining(`pairing accept ${id} --here --server ${url}`),
      "",
    ]);
    expect(await grace.refusal(["pairing", "show", `prq_${"0".repeat(26)}`])).toBe(
      "pairing_not_found",
    );
  });

  test("show tells an agent of what it is listed, and the command that is its session's", async () => {
    const { id } = await requested();
    // Scout is on neither side yet.
    const { stdout } = await grace.ok(["pairing", "show", id, "--as", "scout"]);
    expect(stdout.split("\n").slice(-3)).toEqual([
      "  Run it in the session that is to take part. It selects that session and accepts.",
      expect.stringContaining(`pairing accept ${id} --here --server ${url}`),
      "",
    ]);
    const waiting = await ada.ok(["pairing", "show", id, "--as", "writer"]);
    expect(waiting.stdout).toContain(`pairing select ${id} --here`);
    const session = { env: { CLAUDECODE: "1", SERVICE_AGENT: "scout" } };
    const { request } = await grace.json(["pairing", "show", id], session);
    expect(request).toMatchObject({ id, state: "awaiting_endpoint" });
    const unknown = ["pairing", "show", `prq_${"0".repeat(26)}`, "--as", "scout"];
    expect(await grace.refusal(unknown)).toBe("pairing_not_found");
    // One that is over leads nowhere.
    await ada.ok(["pairing", "cancel", id]);
    const over = await grace.ok(["pairing", "show", id, "--as", "scout"]);
    expect(over.stdout).toStartWith(`${id} · cancelled\n`);
  });

  test("decline and cancel end a request, each for its own side", async () => {
    const [one, two] = [await requested(), await requested()];
    expect(await ada.refusal(["pairing", "decline", one.id])).toBe("forbidden");
    const { stdout } = await grace.ok(["pairing", "decline", one.id]);
    expect(stdout).toBe(`The pairing request ${one.id} is declined.\n`);
    expect(await stateOf(ada, one.id)).toBe("declined");
    expect(await grace.refusal(["pairing", "cancel", two.id])).toBe("forbidden");
    const cancelled = await ada.json(["pairing", "cancel", two.id]);
    expect(cancelled).toEqual({
      server: { name: "local", url },
      request: expect.objectContaining({ id: two.id, state: "cancelled" }),
    });
    expect(await grace.refusal(["pairing", "decline", two.id])).toBe("pairing_closed");
    const session = { env: { CLAUDECODE: "1" } };
    expect(await grace.refusal(["pairing", "decline", two.id], session)).toBe(
      "human_command_in_session",
    );
  });

  test("accept and select are a session's, and a terminal says what its person can do", async () => {
    const { id } = await requested();
    for (const words of [["accept"], ["accept", id, "--here"], ["select", id, "--replace"]]) {
      const refused = await errorOf(grace, ["pairing", ...words, "--server", url]);
      expect(refused).toMatchObject({ exit: 1, code: "agent_session_required" });
      // Whoever asked cannot decline, and whoever was asked cannot take it back.
      const end = words[0] === "select" ? "cancel" : "decline";
      expect(refused.hint).toContain(
        words.includes(id)
          ? `service pairing ${end} ${id} --server ${url}`
          : `service pairing list --server ${url}`,
      );
      const unnamed = { env: { CLAUDECODE: "1" } };
      expect(await errorOf(grace, ["pairing", ...words], unnamed)).toMatchObject({
        code: "agent_session_required",
      });
    }
    expect((await grace.run(["pairing", "select"])).code).toBe(2);
    expect(await stateOf(grace, id)).toBe("awaiting_endpoint");
  });
});

describe("service invite --person --pairing", () => {
  test("asks the newcomer for a session, within a day", async () => {
    const words = [
      "invite",
      "--person",
      "--board",
      "demo",
      "--pairing",
      "Review",
      "--agent",
      "rex",
    ];
    const invited = await ada.json(words);
    expect(Object.keys(invited)).toEqual([
      "id",
      "server",
      "link",
      "expires_at",
      "boards",
      "pairing_request_id",
    ]);
    const hours = (Date.parse(invited.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeLessThanOrEqual(24);
    expect(await stateOf(ada, invited.pairing_request_id)).toBe("awaiting_account");
    const cy = newMachine("Cy");
    const connected = await cy.json(["connect", invited.link]);
    expect(connected.pairing_request_id).toBe(invited.pairing_request_id);
    const { requests } = await cy.json(["pairing"]);
    expect(requests).toMatchObject([
      { id: invited.pairing_request_id, state: "awaiting_session", work: "Review" },
    ]);
    const { stdout } = await ada.ok(words);
    expect(stdout).toMatch(/asked to work with rex\. Its state: .*pairing show prq_/);
    const dee = newMachine("Dee");
    const link = /http\S+#abi_[\w-]+/.exec(stdout)![0];
    const { stdout: told } = await dee.ok(["connect", link]);
    expect(told).toMatch(
      /asks for a session of yours, .* an agent of theirs\.\n.*pairing show prq_/,
    );
  });

  test("goes with --person, one board and a text, and names an agent that there is", async () => {
    for (const words of [
      ["--board", "demo", "--pairing", "x"],
      ["--person", "--pairing", "x"],
      ["--person", "--board", "demo", "--board", "other", "--pairing", "x"],
      ["--person", "--board", "demo", "--pairing", " "],
      ["--person", "--board", "demo", "--agent", "rex"],
    ])
      expect([words, (await ada.run(["invite", ...words])).code]).toEqual([words, 2]);
    const unknown = ["invite", "--person", "--board", "demo", "--pairing", "x", "--agent", "no"];
    expect(await ada.refusal(unknown)).toBe("agent_not_selected");
  });
});

describe("service allowance", () => {
  test("shows what agents may do by themselves, and sets the whole of it", async () => {
    const shown = await ada.json(["allowance"]);
    expect(shown).toEqual({
      server: { name: "local", url },
      allowance: expect.objectContaining({ revision: 0, categories: [] }),
    });
    expect((await ada.ok(["allowance"])).stdout).toBe(
      `Your agents at ${url} may let nobody in by themselves.\n`,
    );
    const on = await ada.ok(["allowance", "on"]);
    expect(on.stdout).toBe(
      `Your agents at ${url} may invite people to the server and bring people onto boards by themselves.\n` +
        "Agents that may invite people can let outsiders read every open board of this server.\n",
    );
    const { allowance } = await ada.json(["allowance", "set", "add-people"]);
    expect(allowance).toMatchObject({ revision: 2, categories: ["add-people"] });
    expect((await ada.json(["allowance", "off"])).allowance).toMatchObject({ categories: [] });
  });

  test("refuses what is no set, and is a person's own", async () => {
    for (const words of [["set"], ["set", "everything"], ["on", "add-people"], ["maybe"]])
      expect([words, (await ada.run(["allowance", ...words])).code]).toEqual([words, 2]);
    const session = { env: { CLAUDECODE: "1" } };
    expect(await ada.refusal(["allowance", "on"], session)).toBe("human_command_in_session");
    expect((await ada.json(["allowance"])).allowance.revision).toBe(3);
  });
});
