import { expect, test } from "bun:test";
import { ApiError, retryAfterOf } from "../../../src/client/errors.ts";
import { createClient } from "../../../src/client/client.ts";
import { newMachine } from "../../support/commands/machine.ts";

test("after too many attempts the hint says how long to wait, in seconds and not in a header", async () => {
  const host = newMachine();
  const guest = newMachine("Grace");
  const { url } = (await host.json(["keys"])).server;
  const link = `${url}/join#abi_${"x".repeat(43)}`;
  const attempt = async () =>
    (await guest.run(["connect", link, "--handle", "grace", "--json"])).json().error;
  let error = await attempt();
  for (let tries = 1; error.code !== "rate_limited" && tries < 100; tries++)
    error = await attempt();
  expect(error).toMatchObject({
    code: "rate_limited",
    hint: "Wait 60 seconds, then try again.",
  });
});

test("an answer that is not this service's says how long to wait too", async () => {
  const busy = createClient({
    baseUrl: "https://board.example.org",
    fetch: () => new Response("busy", { status: 503, headers: { "retry-after": "7" } }),
  });
  const failure: Error = await busy.call("getInfo").then(
    () => new Error("answered"),
    (error: unknown) => error as Error,
  );
  expect(failure).not.toBeInstanceOf(ApiError);
  expect(failure.message).toEndWith("and asks to wait 7 seconds");
});

test("Retry-After is a number of seconds or a date", () => {
  const now = Date.parse("2026-01-31T09:30:00Z");
  const read = (value?: string) =>
    retryAfterOf(new Headers(value === undefined ? {} : { "retry-after": value }), now);
  expect([read(), read("60"), read("0"), read("soon")]).toEqual([null, 60, 0, null]);
  expect(read("Sat, 31 Jan 2026 09:31:30 GMT")).toBe(90);
  expect(read("Sat, 31 Jan 2026 09:00:00 GMT")).toBe(0);
});
