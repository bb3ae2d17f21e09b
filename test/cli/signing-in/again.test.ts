import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const host = newMachine("Ada L");
const url: string = (await host.json(["keys"])).server.url;

test("connect asks for a new key over one that the server calls dead, and keeps a live one", async () => {
  const desk = newMachine("Ada L");
  const { key } = await host.json(["keys", "create", "desk"]);
  await desk.ok(["login", url], { stdin: key.token });
  expect(await desk.refusal(["connect", url, "--handle", "ada-l"])).toBe("already_connected");
  await host.ok(["keys", "revoke", "desk"]);
  const { hint } = (await desk.run(["whoami", "--json"])).json().error;
  expect(hint).toContain(`\`service connect ${url} --handle HANDLE\``);
  const asking = desk.start([
    "connect",
    url,
    "--handle",
    "ada-l",
    "--name",
    "desk-again",
    "--json",
  ]);
  const [, code = ""] = /([A-Z0-9]{3}-[A-Z0-9]{3})/.exec(await asking.warning("approve")) ?? [];
  await host.ok(["approve", code, "--yes"]);
  expect((await asking.end()).json()).toMatchObject({ key: { name: "desk-again" } });
  expect((await desk.ok(["whoami"])).stdout).toContain("@ada-l");
});

test("a link whose # was written as an escape is understood, and one that lost its end is told so", async () => {
  const { link } = await host.json(["invite", "--person"]);
  const newcomer = newMachine("Hal");
  const lost = await newcomer.run(["connect", link.split("#")[0], "--json"]);
  expect(lost.json().error).toMatchObject({
    code: "invite_link_invalid",
    message: "This link has lost its end: the invitation itself comes after a `#`.",
  });
  const connected = await newcomer.json(["connect", link.replace("#", "%23"), "--handle", "hal"]);
  expect(connected.person.handle).toBe("hal");
});
