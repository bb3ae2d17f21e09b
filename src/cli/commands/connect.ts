import { apiOf } from "../api.ts";
import { defineCommand } from "../command.ts";
import { defaultNote } from "../default-note.ts";
import { CliError } from "../errors.ts";
import { loginHandle, machineName } from "../identity.ts";
import { makePrivateFolder } from "../private-files.ts";
import { askFor } from "../questions.ts";
import { sameServer } from "../server-address.ts";
import { readServers, saveKey, ownerToken, localServer } from "../servers.ts";
import type { Cli } from "../cli.ts";

export default defineCommand({
  acts: "person",
  args: {
    link: { type: "positional", description: "The invitation link, in quotes." },
    handle: { type: "string", valueHint: "HANDLE", description: "Your name on the server." },
    displayName: { type: "string", valueHint: "TEXT", description: "How you are shown." },
    name: { type: "string", valueHint: "MACHINE", description: "A name for this machine's key." },
  },
  details:
    "Makes you a person of the server that an admin invited you to, and keeps your first key on this machine.",
  examples: [["connect 'https://board.example.org/join#abi_…'", "Accept an invitation."]],
  seeAlso: ["login", "boards", "invite"],
  async run({ args, data: cli }) {
    const { url, invite } = parseLink(args.link);
    const server = { name: url, url };
    refuseKnown(cli, url);
    const api = apiOf(cli, server);
    makePrivateFolder(cli.folders.config);
    const handle = args.handle ?? askFor(cli, "Your handle", loginHandle(cli.env));
    const { displayName } = args;
    const { server_id, person, key } = await api.call("connect", {
      body: {
        invite,
        handle,
        key_name: args.name ?? machineName(),
        ...(displayName && { display_name: displayName }),
      },
    });
    const { token, ...shownKey } = key;
    const isDefault = saveKey(cli, server, { server_id, person, current: key, key: token });
    return {
      json: { server, server_id, person, key: shownKey, default: isDefault },
      text: [
        `Connected to ${url} as ${person.handle} (${person.server_role}), key ${key.name}.`,
        ...defaultNote(cli, server, isDefault),
        `Next: ${cli.typed(`boards --all --server ${url}`)}`,
      ].join("\n"),
    };
  },
});

function parseLink(text: string): { url: string; invite: string } {
  const url = URL.parse(text.trim());
  const invite = url?.hash.slice(1) ?? "";
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== "/join" ||
    !invite.startsWith("abi_")
  )
    throw new CliError(
      "invite_link_invalid",
      "This is not an invitation link.",
      "A link reads `https://HOST/join#abi_…`; put it in quotes. With a key of yours, sign in instead: `service login URL`.",
    );
  return { url: url.origin, invite };
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
