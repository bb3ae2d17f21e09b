import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDocs } from "../support/boards/docs-board.ts";
import { localhostCertificate } from "../support/servers/localhost-certificate.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { newMachine } from "../support/commands/machine.ts";
import { lines, overStdio } from "../support/mcp/tool-clients.ts";
import { until } from "../support/wait-until.ts";

/** A machine with the board docs and these agents on it. */
async function startMachine(...names: string[]) {
  const machine = newMachine();
  const { join: code } = await machine.json(["pair", "--board", "docs", "--name", names[0]!]);
  for (const name of names.slice(1)) await machine.ok(["join", code.line, "--name", name]);
  const seen = async () => (await machine.json(["api", "listMessages", "board=docs"])).messages;
  return { ...machine, seen, joinLine: code.line as string };
}

const opening = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};
const started = { jsonrpc: "2.0", method: "notifications/initialized" };
const calling = (id: number, name: string, args: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("service mcp", () => {
  test("writes nothing to stdout but the protocol, and ends with its input", async () => {
    const machine = await startMachine("writer");
    // The server is down, so the first call also starts it.
    await machine.run(["down"]);
    const child = Bun.spawn([process.execPath, "src/main.ts", "mcp", "--as", "writer"], {
      env: machine.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const send = (message: object) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      void child.stdin.flush();
    };
    const decoder = new TextDecoder();
    let printed = "";
    const reading = (async () => {
      for await (const chunk of child.stdout) printed += decoder.decode(chunk, { stream: true });
    })();
    send(opening);
    send(started);
    child.stdin.write("no message\n");
    send(calling(1, "say", { text: "hello" }));
    send(calling(2, "task", { do: "show", task: "DOC-9" }));
    await until(() => printed.split("\n").length >= 4, "all is answered");
    child.stdin.end();
    expect(await child.exited).toBe(0);
    await reading;
    const messages = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const message of messages) expect(message.jsonrpc).toBe("2.0");
    const said = messages.find(({ id }) => id === 1);
    expect(said.result.content[0].text).toStartWith("Sent #");
    await machine.asProcess.run(["down"]);
  });

  test("a line without an end is dropped, and the next call is answered", async () => {
    const machine = await startMachine("writer");
    const long = JSON.stringify(calling(1, "say", { text: "x".repeat(11_000_000) }));
    const lines = [JSON.stringify(opening), long, JSON.stringify(calling(2, "say", { text: "y" }))];
    const child = Bun.spawn([process.execPath, "src/main.ts", "mcp", "--as", "writer"], {
      env: machine.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    child.stdin.write(`${lines.join("\n")}\n`);
    const decoder = new TextDecoder();
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += decoder.decode(chunk, { stream: true });
      if (printed.includes('"id":2')) await child.stdin.end();
    }
    expect(await child.exited).toBe(0);
    expect(printed).not.toContain('"id":1');
    expect(await new Response(child.stderr).text()).toContain("longer than 8 MiB");
    expect((await machine.seen()).map(({ body }: { body: string }) => body)).toEqual(["y"]);
  });

  test("acts as the agent that is named, by --as or SERVICE_AGENT, else as the only one", async () => {
    const machine = await startMachine("writer");
    const only = await overStdio("new", machine);
    expect((await only.use("say", { text: "one" })).data.message.from.name).toBe("writer");
    // In a session of a harness another session may act as the only agent.
    const inSession = { ...machine.env, CLAUDECODE: "1" };
    const session = await overStdio("new", { ...machine, env: inSession });
    const unnamed = await session.use("say", { text: "who?" });
    expect(unnamed.data.error).toMatchObject({ code: "agent_not_selected" });
    expect(unnamed.text).toContain("Nothing says which agent this session is.");
    await session.close();
    await machine.ok(["join", machine.joinLine, "--name", "scout"]);
    // Seats are read at each call: now there are two.
    const several = await only.use("say", { text: "who?" });
    expect(several.data.error).toMatchObject({ code: "agent_not_selected" });
    expect(several.text).toContain("--as NAME");
    expect(several.text).toContain("writer (docs), scout (docs)");
    const named = await overStdio("new", machine, ["--as", "scout"]);
    expect((await named.use("say", { text: "two" })).data.message.from.name).toBe("scout");
    const env = { ...machine.env, SERVICE_AGENT: "scout" };
    const set = await overStdio("new", { ...machine, env });
    expect((await set.use("say", { text: "three" })).data.message.from.name).toBe("scout");
    for (const client of [only, named, set]) await client.close();
  });

  test("without an agent it never acts as the person, and says what to do, in a session too", async () => {
    const machine = newMachine();
    await machine.ok(["board", "new", "docs"]);
    for (const env of [machine.env, { ...machine.env, CLAUDECODE: "1" }]) {
      const client = await overStdio("new", { ...machine, env });
      expect(await client.tools()).toHaveLength(8);
      const refused = await client.use("say", { text: "as ana?" });
      expect(refused.isError).toBe(true);
      expect(refused.data.error.code).toBe("agent_not_selected");
      expect(refused.text).toContain("`service pair`");
      await client.close();
    }
    expect((await machine.json(["api", "listMessages", "board=docs"])).messages).toEqual([]);
  });

  test("the same request ids in another run make new calls", async () => {
    const machine = await startMachine("writer");
    for (const line of lines) {
      const client = await overStdio(line, machine);
      await client.use("say", { text: "same" });
      await client.close();
    }
    expect((await machine.seen()).length).toBe(lines.length);
  });

  test.each(lines)(
    "a process that is killed in the middle of a call loses no message: %s",
    async (line) => {
      const machine = await startMachine("writer", "scout");
      const first = await overStdio(line, machine, ["--as", "scout"]);
      const waiting = first.use("inbox", { wait: 50 }).catch(() => "cut off");
      const presence = async () =>
        (await machine.json(["api", "listMembers", "board=docs"])).members.find(
          ({ name }: { name: string }) => name === "scout",
        ).presence;
      while ((await presence()) !== "idle") await Bun.sleep(10);
      process.kill(first.pid!, "SIGKILL");
      expect(await waiting).toBe("cut off");
      await machine.ok(["say", "For scout", "--to", "@scout", "--as", "writer"]);
      const second = await overStdio(line, machine, ["--as", "scout"]);
      // Nobody acknowledged what was read before the kill, and nothing is repeated by itself.
      const { text, data } = await second.use("inbox");
      expect(text).toContain("\nFor scout\n");
      process.kill(second.pid!, "SIGKILL");
      const third = await overStdio(line, machine, ["--as", "scout"]);
      expect((await third.use("inbox")).data.messages.map(({ id }: { id: string }) => id)).toEqual(
        data.messages.map(({ id }: { id: string }) => id),
      );
      await third.close();
    },
  );

  test("a post whose process is killed is stored once or not at all", async () => {
    const machine = await startMachine("writer");
    for (let i = 0; i < 5; i++) {
      const client = await overStdio("new", machine);
      const said = client.use("say", { text: `post ${i}` }).catch(() => null);
      // Each round cuts the call off at another place.
      await Bun.sleep(i * 3);
      process.kill(client.pid!, "SIGKILL");
      await said;
    }
    const after = await overStdio("new", machine);
    expect((await after.use("say", { text: "after" })).isError).toBe(false);
    await after.close();
    const bodies = (await machine.seen()).map(({ body }: { body: string }) => body);
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  test("a post whose answer is lost is not made again, and the agent is told that it may be there", async () => {
    let isLost = true;
    const listener = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: localhostCertificate,
      async fetch(request) {
        const answer = await world.handle(request);
        // What a proxy says when the connection behind it breaks.
        return isLost && request.method === "POST"
          ? new Response("Bad Gateway", { status: 502 })
          : answer;
      },
    });
    const url = `https://localhost:${listener.port}`;
    const world = await startWorld({ mode: "team", url });
    await makeDocs(world);
    const { id, name, token } = await world.seat(world.admin, "docs", { name: "writer" });
    const machine = newMachine();
    const config = join(machine.home, "config");
    mkdirSync(config, { mode: 0o700 });
    const seat = { server: url, board: "docs", name, member_id: id, token };
    writeFileSync(join(config, "credentials.json"), JSON.stringify([seat]), { mode: 0o600 });
    const root = join(machine.home, "root.pem");
    writeFileSync(root, localhostCertificate.cert);
    const env = { ...machine.env, SSL_CERT_FILE: root };
    const client = await overStdio("new", { ...machine, env });
    const lost = await client.use("say", { text: "once" });
    expect(lost.data.error.code).toBe("server_unreachable");
    expect(lost.text).toContain("It may have been done all the same");
    isLost = false;
    expect((await client.use("read", { do: "messages" })).data.messages).toHaveLength(1);
    await client.close();
    await listener.stop(true);
  });

  test("a call that is given up leaves the others, and no line on stderr", async () => {
    const machine = await startMachine("writer");
    const client = await overStdio("new", machine);
    const giveUp = new AbortController();
    const waiting = client.use("inbox", { wait: 50 }, undefined, giveUp.signal).catch(() => "off");
    expect((await client.use("say", { text: "meanwhile" })).isError).toBe(false);
    giveUp.abort();
    expect(await waiting).toBe("off");
    expect((await client.use("read", { do: "messages" })).data.messages).toHaveLength(1);
    expect(client.stderr()).toBe("");
    await client.close();
  });

  test("a subagent of a session does not get it", async () => {
    const machine = await startMachine("writer");
    const env = { SERVICE_SUBAGENT: "1" };
    const { code, stdout, stderr } = await machine.run(["mcp"], { env });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("subagent_without_seat");
  });
});
