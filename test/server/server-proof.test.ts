import { expect, test } from "bun:test";
import { refusalOf, startWorld } from "../support/servers/server-in-process.ts";

const challenge = "a-challenge_of_22-char";
/** The key of a world's digests. */
const key = new Uint8Array(32).fill(7);
const hmac = (text: string) => new Bun.CryptoHasher("sha256", key).update(text).digest("hex");

test("a local server proves who it is and where to anybody who sends a challenge", async () => {
  const world = await startWorld({ url: "http://127.0.0.1:7411" });
  const asked = async (challenge: string) =>
    (await world.as().call("getInfo", { query: { challenge } })) as {
      server_id: string;
      proof?: string;
    };
  const { server_id, proof } = await asked(challenge);
  expect(proof).toBe(
    hmac(`local server ${server_id} at http://127.0.0.1:7411 answers ${challenge}`),
  );
  expect((await asked(`${challenge}2`)).proof).not.toBe(proof);
  expect(await world.as().call("getInfo")).not.toHaveProperty("proof");
});

test("a team server gives no proof", async () => {
  const world = await startWorld({ mode: "team", url: "https://team.test" });
  const info = await world.as().call("getInfo", { query: { challenge } });
  expect(info).toMatchObject({ mode: "team" });
  expect(info).not.toHaveProperty("proof");
});

test.each([
  challenge.slice(1),
  "x".repeat(129),
  `${challenge} at http://127.0.0.1:1`,
  `${challenge}\n`,
])("%j is no challenge", async (wrong) => {
  const world = await startWorld();
  const query = { challenge: wrong };
  expect(await refusalOf(world.as().call("getInfo", { query }))).toMatchObject({
    status: 400,
    code: "invalid_request",
  });
  await world.as().call("getInfo", { query: { challenge: "x".repeat(128) } });
});
