import { describe, expect, test } from "bun:test";
import { kindOfSecret, secretPrefixes, type SecretKind } from "../src/contract/credentials.ts";
import { createSecretScan } from "../src/server/files/secret-scan.ts";
import { createSecrets } from "../src/server/secrets.ts";
import { newMachine } from "./support/commands/machine.ts";
import { startWorld } from "./support/servers/server-in-process.ts";
import { startListening } from "./support/servers/server-on-port.ts";

const { create } = createSecrets(new Uint8Array(32));
const kinds = Object.keys(secretPrefixes) as SecretKind[];
const secrets = kinds.map((kind) => create(kind));
const shown = Object.values(secretPrefixes).map((prefix) => `${prefix}_…`);

const machine = newMachine();

test("a secret of each kind has a prefix that no other kind has", () => {
  expect(new Set(Object.values(secretPrefixes)).size).toBe(kinds.length);
  expect(secrets.map(kindOfSecret)).toEqual(kinds);
  expect(["abh", "abx_xyz", "ABH_xyz", " abh_xyz"].map(kindOfSecret)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("the log of a running server cuts a secret of every kind down to its prefix", async () => {
  const { server, key, logged } = await startListening();
  await server.db.write((tx) =>
    tx.run(
      `CREATE TRIGGER fault BEFORE INSERT ON board BEGIN SELECT RAISE(ABORT, '${secrets.join(" ")}'); END`,
    ),
  );
  const { status } = await fetch(`${server.url}/v1/boards`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "docs" }),
  });
  expect(status).toBe(500);
  const { message } = JSON.parse(logged.join("\n")) as { message: string };
  expect(message).toBe(shown.join(" "));
  for (const secret of secrets) expect(logged.join("\n")).not.toContain(secret);
});

describe.each(kinds)("a secret of the kind %s", (kind) => {
  const secret = create(kind);

  test("is cut down to its prefix in a refusal that repeats it", async () => {
    const world = await startWorld();
    await world.admin.call("createBoard", { body: { name: "docs" } });
    const refused = await world.admin.send("postMessage", {
      params: { board: "docs" },
      body: { body: "hello", to: [`@${secret}`] },
    });
    const text = JSON.stringify(refused);
    expect(refused.status).toBe(422);
    expect(text).toContain(`${secretPrefixes[kind]}_…`);
    expect(text).not.toContain(secret);
  });

  test("is cut down to its prefix in what the program prints", async () => {
    for (const more of [[], ["--json"]]) {
      const { code, stdout, stderr } = await machine.run([secret, ...more]);
      expect(code).toBeGreaterThan(0);
      expect(stdout + stderr).toContain(`${secretPrefixes[kind]}_…`);
      expect(stdout + stderr).not.toContain(secret);
    }
  });

  test("is found in a file, also where two pieces of it meet", () => {
    const scan = createSecretScan();
    const bytes = Buffer.from(`key: ${secret}\n`);
    scan.add(bytes.subarray(0, 20));
    expect(scan.found()).toBeNull();
    scan.add(bytes.subarray(20));
    expect(scan.found()).toBe("a credential of this service");
  });
});
