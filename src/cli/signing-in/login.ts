import { secretPattern, secretPrefixes } from "../../contract/credentials.ts";
import { ApiError } from "../../client/client.ts";
import { apiOf, type Api } from "../connection/api.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand } from "../frame/command.ts";
import { settleDefault } from "./default-server-note.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import { when } from "../terminal/time-text.ts";
import { refuseInsecure, sameServer, serverOrigin } from "../../client/machine/server-address.ts";
import {
  keyFor,
  localServer,
  saveKey,
  selectServer,
  type ServerRef,
} from "../../client/machine/servers.ts";
import { requireTexts } from "./require-texts.ts";
import { typedAt } from "../frame/suggest.ts";
import { pipedIn } from "../frame/text-input.ts";

export default defineCommand({
  summary: "Sign in to a server with an access key",
  acts: "person",
  args: {
    server: {
      type: "positional",
      required: false,
      description: "The server's address, or `local` (else SERVICE_SERVER, the saved one).",
    },
  },
  details:
    "Reads an access key from standard input, never from the command line. If the server accepts the key, it replaces the key on this machine.",
  examples: [["login https://board.example.org < key-file", "Sign in with a key from a file."]],
  seeAlso: ["connect", "keys create", "servers"],
  async run({ args, data: cli }) {
    const server = serverFor(cli, args.server ?? cli.env["SERVICE_SERVER"]);
    const key = await readSecret(cli, `Access key for ${server.url}: `);
    const { server_id, person, current, previous_use } = await checked(cli, server, key);
    const before = keyFor(cli, server);
    const becameDefault = saveKey(cli, server, { server_id, person, key });
    const { isDefault, lines } =
      before === null
        ? settleDefault(cli, server, becameDefault)
        : { isDefault: becameDefault, lines: [] };
    const keys = typedAt(cli, server)("keys");
    return {
      json: {
        server,
        server_id,
        person,
        key: current,
        previous_use,
        replaced: before !== null,
        default: isDefault,
      },
      text: [
        `Signed in to ${server.url} as @${person.handle} (${person.server_role})${current ? `, key ${current.name}` : ""}.`,
        ...(previous_use ? [`Last used ${when(previous_use)}.`] : []),
        ...(before === null || before === key
          ? []
          : [`The key that was kept here before is replaced, and not revoked by that: ${keys}`]),
        `If another machine uses this key too, revoking it signs both out${current ? `; a key for each is safer: ${cli.typed("keys create NAME")}` : ""}.`,
        ...lines,
      ].join("\n"),
    };
  },
});

function serverFor(cli: Cli, wanted: string | undefined): ServerRef {
  if (!wanted) return selectServer(cli);
  const local = localServer(cli);
  if (wanted === "local") return local;
  const url = serverOrigin(wanted);
  refuseInsecure(url);
  return sameServer(url, local.url) ? local : { name: url, url };
}

/** More bytes than a secret has, and the line break after it. */
const mostSecretBytes = 4096;

/** Reads a secret from standard input: a line typed without echo at a terminal, else the whole piped input. */
async function readSecret({ stdin, system }: Cli, question: string): Promise<string> {
  if (!stdin.isTerminal())
    return new TextDecoder().decode((await pipedIn(stdin, mostSecretBytes)) ?? undefined).trim();
  const typed = await stdin.askSecret(question);
  if (typed === null) return system.exit(130);
  return typed.trim();
}

/** Asks the server about a key. One that it does not accept is refused. */
async function checked(cli: Cli, server: ServerRef, key: string) {
  if (!new RegExp(secretPattern("key")).test(key)) throw invalid("That is not an access key.");
  const api = apiOf(cli, server, key);
  // The first request with the key: each one after it would find its own use.
  const listed = await api.call("listKeys").catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "guest_not_allowed") return null;
    throw [401, 403].includes(error.status)
      ? invalid("The server does not accept this key.")
      : error;
  });
  const { server_id } = await api.info();
  if (listed === null) {
    const guest = await guestOf(api);
    requireTexts(server, [server_id, guest.person.id, guest.person.handle]);
    return { server_id, ...guest };
  }
  const { person, keys, current_key_id, current_key_previous_use } = listed;
  const current = Array.isArray(keys) ? keys.find((one) => one?.id === current_key_id) : undefined;
  requireTexts(server, [server_id, person?.id, person?.handle, current?.name]);
  return { server_id, person, current: current!, previous_use: current_key_previous_use };
}

/** A guest may not list keys, so this is only who they are. */
async function guestOf(api: Api) {
  const { id, name: handle, server_role, display_name } = await api.call("getMe");
  const person = { id, handle, server_role: server_role!, display_name };
  return { person, current: null, previous_use: null };
}

const invalid = (message: string) =>
  new LocalError(
    "key_invalid",
    message,
    `A key begins with \`${secretPrefixes.key}_\`. Make one on a machine where you are signed in: \`service keys create NAME\`.`,
  );
