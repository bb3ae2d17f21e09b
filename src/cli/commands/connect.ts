import { apiOf } from "../api.ts";
import { defineCommand } from "../command.ts";
import { defaultNote } from "../default-note.ts";
import { CliError, usageError } from "../errors.ts";
import { loginHandle, machineName } from "../identity.ts";
import { requestKey, saved } from "../machine-request.ts";
import { makePrivateFolder } from "../private-files.ts";
import { askFor, mayAsk } from "../questions.ts";
import { refuseInsecure, sameServer } from "../server-address.ts";
import { readServers, ownerToken, localServer, type ServerRef } from "../servers.ts";
import { handle as handleFrom } from "../values.ts";
import type { Cli } from "../cli.ts";

export default defineCommand({
  acts: "person",
  args: {
    link: {
      type: "positional",
      description: "The invitation link, in quotes; or a server's address where you have a key.",
    },
    handle: { type: "string", valueHint: "HANDLE", description: "Your name on the server." },
    displayName: { type: "string", valueHint: "TEXT", description: "How you are shown." },
    name: { type: "string", valueHint: "MACHINE", description: "A name for this machine's key." },
  },
  details:
    "With a link: makes you a person of the server that an admin invited you to, and keeps your first key on this machine. With an address and --handle: asks for a key of this machine's own, which you approve on another machine of yours; no key is copied.",
  examples: [
    ["connect 'https://board.example.org/join#abi_…'", "Accept an invitation."],
    ["connect https://board.example.org --handle ada", "Ada's second machine."],
  ],
  seeAlso: ["approve", "login", "boards", "invite"],
  async run({ args, data: cli }) {
    const { url, invite } = parseTarget(args.link);
    const server = { name: url, url };
    refuseInsecure(url);
    refuseKnown(cli, url);
    const { server_id, person, key, isDefault } =
      invite === null ? await asked(cli, server, args) : await invited(cli, server, invite, args);
    return {
      json: { server, server_id, person, key, default: isDefault },
      text: [
        `Connected to ${url} as ${person.handle} (${person.server_role}), key ${key.name}.`,
        ...defaultNote(cli, server, isDefault),
        `Next: ${cli.typed(`boards --all --server ${url}`)}`,
      ].join("\n"),
    };
  },
});

interface Chosen {
  readonly handle?: string | undefined;
  readonly displayName?: string | undefined;
  readonly name?: string | undefined;
}

async function invited(cli: Cli, server: ServerRef, invite: string, chosen: Chosen) {
  const api = apiOf(cli, server);
  makePrivateFolder(cli.folders.config);
  const handle = chosen.handle ?? askFor(cli, "Your handle", loginHandle(cli.env));
  const { displayName } = chosen;
  const connected = await api.call("connect", {
    body: {
      invite,
      handle,
      key_name: chosen.name ?? machineName(),
      ...(displayName && { display_name: displayName }),
    },
  });
  // No token of this machine's was sent, so the server made one.
  const { key } = connected;
  if (!("token" in key)) throw new Error("the server kept the key to itself");
  return saved(cli, server, { ...connected, key });
}

async function asked(cli: Cli, server: ServerRef, chosen: Chosen) {
  if (chosen.displayName !== undefined)
    throw usageError(
      "`--display-name` is for an invitation.",
      "With a server's address you are somebody there already: leave it out.",
    );
  if (chosen.handle === undefined && !mayAsk(cli))
    throw usageError(
      "Say who you are on that server.",
      `Add your handle: \`service connect ${server.url} --handle HANDLE\`.`,
    );
  const handle = handleFrom(chosen.handle ?? askFor(cli, "Your handle there", ""));
  makePrivateFolder(cli.folders.config);
  return requestKey(cli, server, handle, chosen.name ?? machineName());
}

/** An invitation link, or a server's address alone. */
function parseTarget(text: string): { url: string; invite: string | null } {
  const url = URL.parse(text.trim());
  const invite = url?.hash.slice(1) ?? "";
  const ours = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.search;
  if (ours && url.pathname === "/join" && invite.startsWith("abi_"))
    return { url: url.origin, invite };
  if (ours && url.pathname === "/" && invite === "") return { url: url.origin, invite: null };
  throw new CliError(
    "invite_link_invalid",
    "This is neither an invitation link nor a server's address.",
    "A link reads `https://HOST/join#abi_…`; put it in quotes. With a key of yours, sign in instead: `service login URL`.",
  );
}

function refuseKnown(cli: Cli, url: string): void {
  const saved = readServers(cli).servers.find((one) => sameServer(one.url, url));
  const isLocal = ownerToken(cli) !== null && sameServer(localServer(cli).url, url);
  if (!saved && !isLocal) return;
  throw new CliError(
    "already_connected",
    `This machine is already connected to ${url}${saved ? ` as ${saved.handle}` : ""}.`,
    `Use it: \`service boards --server ${url}\`. Another person connects from another account of this machine or another SERVICE_HOME.`,
    saved && { handle: saved.handle },
  );
}
