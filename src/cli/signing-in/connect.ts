import { ApiError } from "../../client/client.ts";
import { apiOf } from "../connection/api.ts";
import { kindOfSecret, shownSecret } from "../../contract/credentials.ts";
import { defineCommand, type Args, type Parsed } from "../frame/command.ts";
import type { Cli } from "../frame/cli.ts";
import { withHandle } from "./choose-handle.ts";
import { settleDefault } from "./default-server-note.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { loginHandle, machineName } from "../../client/machine/identity.ts";
import { redeem } from "./redeem-invitation.ts";
import { requestKey } from "./machine-request.ts";
import { makePrivateFolder } from "../../client/machine/private-files.ts";
import { mayAsk } from "../frame/questions.ts";
import { saveSignIn } from "./save-sign-in.ts";
import { refuseInsecure, sameServer } from "../../client/machine/server-address.ts";
import {
  readServers,
  ownerToken,
  localServer,
  type ServerRef,
} from "../../client/machine/servers.ts";
import { typedAt } from "../frame/suggest.ts";
import { forgetKeyToSend } from "../../client/machine/pending-invitations.ts";

const args = {
  link: {
    type: "positional",
    description: "The invitation link, in quotes; or a server's address where you have a key.",
  },
  handle: { type: "string", valueHint: "HANDLE", description: "Your name on the server." },
  displayName: {
    type: "string",
    valueHint: "TEXT",
    description: "Your name as people see it; only with a link.",
  },
  name: {
    type: "string",
    valueHint: "MACHINE",
    description: "A name for this machine's key (else its host name).",
  },
} as const satisfies Args;
type Chosen = Parsed<typeof args>;

export default defineCommand({
  summary: "Accept an invitation, or ask for a key for this machine",
  acts: "person",
  args,
  details:
    "With a link: makes you a person of the server that an admin invited you to, and keeps your first key on this machine. With an address and --handle: asks for a key of this machine's own, shows a code, and waits up to five minutes until you approve the code on another machine of yours; no key is copied.",
  examples: [
    [
      `connect 'https://board.example.org/join#${shownSecret("invitation")}'`,
      "Accept an invitation.",
    ],
    ["connect https://board.example.org --handle ada", "Ada's second machine."],
  ],
  seeAlso: ["approve", "login", "boards", "invite"],
  async run({ args, data: cli }) {
    const { url, invite } = parseTarget(args.link);
    const server = { name: url, url };
    refuseInsecure(url);
    if (invite === null) refuseUnfitting(cli, url, args);
    await refuseKnown(cli, url);
    makePrivateFolder(cli.folders.config);
    const given =
      invite === null ? await asked(cli, server, args) : await invited(cli, server, invite, args);
    const pairing = "pairing" in given ? given.pairing : undefined;
    const { server_id, person, key, becameDefault } = saveSignIn(cli, server, given);
    if (invite !== null) forgetKeyToSend(cli, server, invite);
    const { isDefault, lines } = settleDefault(cli, server, becameDefault);
    return {
      json: {
        server,
        server_id,
        person,
        key,
        default: isDefault,
        ...(pairing !== undefined && { pairing_request_id: pairing }),
      },
      text: [
        `Connected to ${url} as @${person.handle} (${person.server_role}), key ${key.name}.`,
        ...lines,
        ...(pairing
          ? [
              "Whoever invited you asks for a session of yours, to work with an agent of theirs.",
              `What it is about, and what to do: ${typedAt(cli, server)(`pairing show ${pairing}`)}`,
            ]
          : []),
        `Next: ${typedAt(cli, server)("boards --all")}`,
      ].join("\n"),
    };
  },
});

function invited(cli: Cli, server: ServerRef, invite: string, chosen: Chosen) {
  const { displayName } = chosen;
  const asked = { question: "Your handle", fallback: loginHandle(cli) };
  return withHandle(cli, chosen.handle, asked, (handle) =>
    redeem(cli, server, {
      invite,
      handle,
      key_name: chosen.name ?? machineName(),
      ...(displayName && { display_name: displayName }),
    }),
  );
}

function asked(cli: Cli, server: ServerRef, chosen: Chosen) {
  const asked = { question: "Your handle there", fallback: "" };
  return withHandle(cli, chosen.handle, asked, async (handle) => {
    if (handle === "") throw nobody(server.url);
    return requestKey(cli, server, handle, chosen.name ?? machineName());
  });
}

/** Refuses a request for a key without a handle, and flags that are for invitations. */
function refuseUnfitting(cli: Cli, url: string, { handle, displayName }: Chosen): void {
  if (displayName !== undefined)
    throw usageError(
      "`--display-name` is for an invitation.",
      "With a server's address you have an account there already: leave it out.",
    );
  if (handle === undefined && !mayAsk(cli)) throw nobody(url);
}

const nobody = (url: string) =>
  usageError(
    "Say who you are on that server.",
    `Add your handle: \`service connect ${url} --handle HANDLE\`. If you have no account there yet, you need an invitation link.`,
  );

/** An invitation link, or a server's address alone. */
function parseTarget(text: string): { url: string; invite: string | null } {
  // Some mail programs write the # of a link as an escape.
  const url = URL.parse(text.trim().replace(/\/join%23(?=abi_)/i, "/join#"));
  const invite = url?.hash.slice(1) ?? "";
  const ours = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.search;
  if (ours && url.pathname === "/join" && kindOfSecret(invite) === "invitation")
    return { url: url.origin, invite };
  if (ours && url.pathname === "/" && invite === "") return { url: url.origin, invite: null };
  if (ours && url.pathname === "/join" && invite === "")
    throw new LocalError(
      "invite_link_invalid",
      "This link has lost its end: the invitation itself comes after a `#`.",
      `Copy the whole link again, in quotes. It reads \`https://HOST/join#${shownSecret("invitation")}\`.`,
    );
  throw new LocalError(
    "invite_link_invalid",
    "This is neither an invitation link nor a server's address.",
    /^\s*join service board /i.test(text)
      ? 'It is a join line: `service join "LINE"`.'
      : `A link reads \`https://HOST/join#${shownSecret("invitation")}\`; put it in quotes. With a key of yours, sign in instead: \`service login URL\`.`,
  );
}

/** Refuses a server that this machine has a working key for. One that the server calls dead is replaced. */
async function refuseKnown(cli: Cli, url: string): Promise<void> {
  const known = readServers(cli).servers.find((one) => sameServer(one.url, url));
  const isLocal = ownerToken(cli) !== null && sameServer(localServer(cli).url, url);
  if (!known && !isLocal) return;
  if (known && (await isDead(cli, known))) return;
  throw new LocalError(
    "already_connected",
    `This machine is already connected to ${url}${known ? ` as @${known.handle}` : ": it is its own server"}.`,
    known
      ? `Use it: \`service boards --server ${url}\`. For another person: \`service servers remove ${url}\`, then connect again.`
      : `Use it: \`service boards --server ${url}\`. Another person connects from another account of this machine or another SERVICE_HOME.`,
    known && { handle: known.handle },
  );
}

/** Whether a server says that a key of this machine has ended. Anything else is no reason to replace the key. */
const isDead = (cli: Cli, { url, key }: { readonly url: string; readonly key: string }) =>
  apiOf(cli, { name: url, url }, key)
    .call("getMe")
    .then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
