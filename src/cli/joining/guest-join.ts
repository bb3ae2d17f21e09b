import { apiOf } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { settleDefault } from "../signing-in/default-server-note.ts";
import type { NamedSession } from "../../client/machine/harness.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { machineName } from "../../client/machine/identity.ts";
import { infoAt } from "../local-server/identify-server.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import { saveSignIn } from "../signing-in/save-sign-in.ts";
import { seatAnswer } from "./new-seat.ts";
import { isLoopback } from "../../client/machine/server-address.ts";

/** Joins a server as a new guest. The answer has the guest's first key, and no credential of this machine is sent. */
export async function joinAsGuest(
  cli: Cli,
  session: NamedSession | null,
  named: string,
  given: { code: string; name?: string; harness?: string },
): Promise<Answer> {
  const url = await addressOf(cli, named);
  const server = { name: url, url };
  const api = apiOf(cli, server);
  makePrivateFolder(cli.folders.config);
  const body = { ...given, key_name: machineName() };
  const joined = await api.call("guestJoin", { body }).catch((error: unknown) => {
    throw notHere(url, error);
  });
  const { becameDefault } = saveSignIn(cli, server, joined);
  const { takeForSession } = await import("./join-in-session.ts");
  const { json, text } = session
    ? await takeForSession(cli, session, server, joined, true)
    : seatAnswer(cli, server, joined, true);
  const { lines } = settleDefault(cli, server, becameDefault);
  return { json, text: [text, ...(lines.length ? ["", ...lines] : [])].join("\n") };
}

/** The address that a join line means. `localhost` may mean a team server whose proxy runs on this machine. */
async function addressOf(cli: Cli, named: string): Promise<string> {
  if (!isLoopback(named) || (await isServer(cli, named))) return named;
  const secure = `https://localhost:${new URL(named).port}`;
  return (await isServer(cli, secure)) ? secure : named;
}

async function isServer(cli: Cli, url: string): Promise<boolean> {
  const info = await infoAt(cli, url);
  return info !== null && typeof info === "object";
}

const notHere = (url: string, error: unknown): unknown =>
  isLoopback(url) && error instanceof LocalError && error.code === "server_unreachable"
    ? new LocalError(
        error.code,
        error.message,
        "The line names a server on the machine where it was made, and works only there.",
      )
    : error;
