import { join } from "node:path";
import type { Cli } from "./cli.ts";
import { CliError } from "./errors.ts";
import { localAddress } from "./local-address.ts";
import { damaged, hasTexts, isCredential, type JsonFile } from "./private-files.ts";
import { isServerAddress, sameServer, serverOrigin, writtenOnce } from "./server-address.ts";

/** A server as output names it: `local`, or its address twice. */
export interface ServerRef {
  readonly name: string;
  readonly url: string;
}

/** A server that this machine has a key for. */
export interface SavedServer {
  readonly url: string;
  readonly server_id: string;
  readonly handle: string;
  readonly person_id: string;
  readonly key: string;
}

interface ServersFile {
  /** A server's address, or `local`. */
  readonly default: string | null;
  readonly servers: readonly SavedServer[];
}

type Files = Pick<Cli, "env" | "folders" | "learned">;
const empty: ServersFile = { default: null, servers: [] };
const fields = ["url", "server_id", "handle", "person_id", "key"];
const serversFile = (cli: Files): JsonFile<ServersFile> => ({
  path: join(cli.folders.config, "servers.json"),
  holds: (content): content is ServersFile => {
    const { default: chosen, servers } = (content ?? {}) as Partial<ServersFile>;
    return (
      (chosen === null || typeof chosen === "string") &&
      Array.isArray(servers) &&
      servers.every(isSaved)
    );
  },
});

const isSaved = (server: unknown): boolean =>
  hasTexts(server, fields) &&
  isServerAddress((server as SavedServer).url) &&
  isCredential((server as SavedServer).key);

/** Where the key of the local server's first person lies. */
export const ownerTokenFile = (cli: Files): string => join(cli.folders.config, "owner-token");

/** The local server's key on this machine, or null before its first start. Refuses a file that holds no key. */
export function ownerToken(cli: Files): string | null {
  const path = ownerTokenFile(cli);
  const key = cli.learned.text(path)?.trim() || null;
  if (key !== null && !isCredential(key)) throw damaged(path, signInLocally(cli));
  return key;
}

const signInLocally = (cli: Files): string =>
  `sign in with a key of yours: \`service login ${localServer(cli).url}\``;

export const readServers = (cli: Files): ServersFile => cli.learned.json(serversFile(cli)) ?? empty;

/** Says whether the server became the default: it does where there is none. Else the one used until now stays it. */
function saveServer(cli: Files, server: SavedServer): boolean {
  const before = defaultServer(cli);
  const chosen = before?.name ?? server.url;
  cli.learned.change(serversFile(cli), empty, (file) => ({
    default: chosen === "local" ? file.default : chosen,
    servers: [...file.servers.filter(({ url }) => url !== server.url), server],
  }));
  return before === null;
}

interface SignIn {
  readonly server_id: string;
  readonly person: { readonly id: string; readonly handle: string };
  readonly key: string;
}

/** Saves the person's key for a server, the local one's as the owner token. Says whether the server became the default. */
export function saveKey(cli: Files, server: ServerRef, signIn: SignIn): boolean {
  const { server_id, person, key } = signIn;
  // The person may have taken their time, and another run may have added a server meanwhile.
  cli.learned.forgetFiles();
  if (server.name === "local") {
    const before = defaultServer(cli);
    cli.learned.write(ownerTokenFile(cli), `${key}\n`);
    return before === null;
  }
  return saveServer(cli, {
    url: server.url,
    server_id,
    handle: person.handle,
    person_id: person.id,
    key,
  });
}

/** Saves which server is used when none is named. */
export const saveDefault = (cli: Files, name: string): void =>
  cli.learned.change(serversFile(cli), empty, (file) => ({ ...file, default: name }));

/** Forgets a server: its key, and that it was the default. */
export function forgetServer(cli: Files, { url }: ServerRef): void {
  cli.learned.change(serversFile(cli), empty, (file) => ({
    default: file.default === url ? null : file.default,
    servers: file.servers.filter((one) => one.url !== url),
  }));
}

/** Notes the new handle of the person whose key for a server is saved here. */
export function renameSaved(
  cli: Files,
  { url }: ServerRef,
  person: { readonly id: string; readonly handle: string },
): void {
  const isTheirs = (one: SavedServer) =>
    one.url === url && one.person_id === person.id && one.handle !== person.handle;
  if (!readServers(cli).servers.some(isTheirs)) return;
  cli.learned.change(serversFile(cli), empty, (file) => ({
    ...file,
    servers: file.servers.map((one) => (isTheirs(one) ? { ...one, handle: person.handle } : one)),
  }));
}

export function localServer(cli: Files): ServerRef {
  return { name: "local", url: localAddress(cli).url };
}

/** The servers that this machine has a key for, the local one first. */
export function knownServers(cli: Files): ServerRef[] {
  const others = savedServers(cli);
  return ownerToken(cli) === null ? others : [localServer(cli), ...others];
}

const savedServers = (cli: Files): ServerRef[] =>
  readServers(cli).servers.map(({ url }) => ({ name: url, url }));

/** The server used when none is named: the saved one, else the local one if it has been started, else the only one. */
export function defaultServer(cli: Files): ServerRef | null {
  const known = knownServers(cli);
  const saved = readServers(cli).default;
  if (saved !== null) return known.find(({ name }) => name === saved) ?? null;
  const local = known.find(({ name }) => name === "local");
  return local ?? (known.length === 1 ? known[0]! : null);
}

/** The server a person's command goes to: the one named, SERVICE_SERVER's, the default, else the local one. */
export function selectServer(cli: Files, named?: string): ServerRef {
  const wanted = named ?? cli.env["SERVICE_SERVER"];
  if (wanted) return namedServer(cli, wanted);
  const chosen = defaultServer(cli);
  if (chosen) return chosen;
  const known = knownServers(cli);
  if (known.length === 0) return localServer(cli);
  const saved = readServers(cli).default;
  throw new CliError(
    "server_not_selected",
    saved === null
      ? "This machine knows several servers, and none of them is chosen."
      : `The saved default is ${saved}, and this machine has no key for that server.`,
    "Add `--server URL`, or save a default: `service servers use URL`.",
    { choices: known.map(({ url }) => url) },
  );
}

/** Whether a text means a server: `local`, or its address in any spelling. */
export const isCalled = ({ name, url }: ServerRef, typed: string): boolean =>
  name === typed || sameServer(writtenOnce(typed), url);

/** A server by its address or `local`. Refuses what is neither, and one that this machine has no key for. */
export function namedServer(cli: Files, wanted: string): ServerRef {
  const local = localServer(cli);
  if (isCalled(local, wanted)) return local;
  const saved = savedServers(cli).find((server) => isCalled(server, wanted));
  if (saved) return saved;
  const url = writtenOnce(wanted);
  serverOrigin(wanted);
  throw new CliError(
    "login_required",
    `This machine has no key for ${url}.`,
    `Sign in: \`service login ${url}\` with a key, or \`service connect LINK\` with an invitation.`,
  );
}

/** The person's key for a server, or null when this machine has none. */
export function keyFor(cli: Files, server: ServerRef): string | null {
  if (server.name === "local") return ownerToken(cli);
  return readServers(cli).servers.find(({ url }) => url === server.url)?.key ?? null;
}
