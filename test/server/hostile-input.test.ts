import { expect, test } from "bun:test";
import { attack, type Attack } from "../support/hostile/attack.ts";
import { startMeasured, type Measured, type Memory } from "../support/hostile/measured-server.ts";
import { findings } from "../support/secrets/find-secrets.ts";
import { seed, sized } from "../support/tries.ts";

const requests = Number(process.env["REQUESTS"] ?? sized(3000, 1_000_000));
/** What a server's process may hold, in bytes: three times what it holds after some thousand requests. */
const most = { heap: 150 << 20, rss: 600 << 20 };
/** Credentials of the program in any form, whoever they belong to. */
const secretForm = /ab[a-z]_[A-Za-z0-9_-]{43}/;
/** So many secrets are searched for in all forms in which programs write them down. */
const mostSearched = 500;

const unlimited = await startMeasured();
const limited = await startMeasured({ rateScale: 1 });

test(
  "hostile input gets no fault and no answer of another shape, and leaves no secret in the log",
  async () => {
    const began = performance.now();
    const came = await attackAndSearch(unlimited, requests);
    const { statuses, succeeded, memory } = came;
    // It is an attack only if it comes far: each kind of answer is among them.
    const among = [200, 201, 400, 401, 403, 404, 409, 421, 422, 501];
    expect(among.filter((status) => !statuses[status])).toEqual([]);
    expect(succeeded.size).toBeGreaterThan(requests > 100_000 ? 100 : 40);

    const greatest = (part: "rss" | "heap") => Math.max(...memory.map((each) => each[part]));
    expect(greatest("heap")).toBeLessThan(most.heap);
    expect(greatest("rss")).toBeLessThan(most.rss);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(
      `${requests} requests in ${seconds} s, heap at most ${greatest("heap") >> 20} MiB, memory at most ${greatest("rss") >> 20} MiB, ${succeeded.size} operations succeeded`,
      JSON.stringify(statuses),
    );
  },
  Math.max(60_000, requests * 20),
);

test("a server with its usual limits answers hostile input in the same shape", async () => {
  const { statuses } = await attackAndSearch(limited, 1500);
  expect(statuses[429]).toBeGreaterThan(0);
}, 60_000);

/** Attacks a server, which must stay there, answer nothing wrongly, and log no fault and no secret. */
async function attackAndSearch(server: Measured, sending: number): Promise<Attack> {
  const report = (sent: number, { rss, heap }: Memory) => {
    if (sent % 20_000 === 0)
      console.log(`${sent} requests, ${rss >> 20} MiB, of which heap ${heap >> 20} MiB`);
  };
  const came = await attack(server, { seed, requests: sending, report });
  expect({ seed, failures: came.failures }).toEqual({ seed, failures: [] });
  expect(server.runs()).toBe(true);

  const bytes = await Bun.file(server.log).bytes();
  const lines = Buffer.from(bytes).toString().split("\n");
  expect(lines.length).toBeGreaterThan(sending / 2);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(lines.filter((line) => secretForm.test(line))).toEqual([]);
  const { secrets } = came.scene;
  const apart = Math.ceil(secrets.length / mostSearched);
  const searched = secrets.filter((_, i) => i % apart === 0);
  expect(findings(searched, [{ name: "the log", bytes }])).toEqual([]);
  return came;
}
