import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { LocalError } from "./local-error.ts";
import { localAddress } from "./local-address.ts";
import { damaged, hasTexts, isCredential, type JsonFile } from "./private-files.ts";
import { isServerAddress, sameServer, serverOrigin, writtenOnce } from "./server-address.ts";

/** A server as output names it: `local`, or its address twice. */
export interface ServerRef {
  readonly name: string;
  readonly url: string;
}

/** A server that this machine has a key for. */
interface SavedServer {
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

type Files = Pick<Machine, "env" | "folders" | "learned">;
const empty: ServersFile = { default: null, servers: [] };
const fields = ["url", "server_id", "handle", "person_id", "key"];
const serversFile = (machine: Files): JsonFile<ServersFile> => ({
  path: join(machine.folders.config, "servers.json"),
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

/** The file with the key of the local server's first person. */
export const ownerTokenFile = (machine: Files): string =>
  join(machine.folders.config, "owner-token");

/** The local server's key on this machine, or null before its first start. Refuses a file that holds no key. */
export function ownerToken(machine: Files): string | null {
  const path = ownerTokenFile(machine);
  const key = machine.learned.text(path)?.trim() ?? null;
  if (key !== null && !isCredential(key)) throw damaged(path, signInLocally(machine));
  return key;
}

const signInLocally = (machine: Files): string =>
  `sign in with a key of yours: \`service login ${localServer(machine).url}\``;

export const readServers = (machine: Files): ServersFile =>
  machine.learned.json(serversFile(machine)) ?? empty;

/** Gives whether the server became the default, which it does only if there was none. */
function saveServer(machine: Files, server: SavedServer): boolean {
  const before = defaultServer(machine);
  const chosen = before?.name ?? server.url;
  machine.learned.change(serversFile(machine), empty, (file) => ({
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

/** Saves the person's key for a server, the local one's as the owner token. Gives whether the server became the default. */
export function saveKey(machine: Files, server: ServerRef, signIn: SignIn): boolean {
  const { server_id, person, key } = signIn;
  // The person may have taken their time, and another run may have added a server meanwhile.
  machine.learned.forgetFiles();
  if (server.name === "local") {
    const before = defaultServer(machine);
    machine.learned.write(ownerTokenFile(machine), `${key}\n`);
    return before === null;
  }
  return saveServer(machine, {
    url: server.url,
    server_id,
    handle: person.handle,
    person_id: person.id,
    key,
  });
}

/** Saves which server is used when none is named. */
export const saveDefault = (machine: Files, name: string): void =>
  machine.learned.change(serversFile(machine), empty, (file) => ({ ...file, default: name }));

/** Forgets a server: its key, and that it was the default. */
export function forgetServer(machine: Files, { url }: ServerRef): void {
  machine.learned.change(serversFile(machine), empty, (file) => ({
    default: file.default === url ? null : file.default,
    servers: file.servers.filter((one) => one.url !== url),
  }));
}

/** Saves the new handle of the person whose key for a server is saved here. */
export function renameSaved(
  machine: Files,
  { url }: ServerRef,
  person: { readonly id: string; readonly handle: string },
): void {
  const isTheirs = (one: SavedServer) =>
    one.url === url && one.person_id === person.id && one.handle !== person.handle;
  if (!readServers(machine).servers.some(isTheirs)) return;
  machine.learned.change(serversFile(machine), empty, (file) => ({
    ...file,
    servers: file.servers.map((one) => (isTheirs(one) ? { ...one, handle: person.handle } : one)),
  }));
}

/** This machine's own server, whether it runs or not. */
export function localServer(machine: Files): ServerRef {
  return { name: "local", url: localAddress(machine).url };
}

/** The servers that this machine has a key for, the local one first. */
export function knownServers(machine: Files): ServerRef[] {
  const others = savedServers(machine);
  return ownerToken(machine) === null ? others : [localServer(machine), ...others];
}

const savedServers = (machine: Files): ServerRef[] =>
  readServers(machine).servers.map(({ url }) => ({ name: url, url }));

/** The server used when none is named: the saved one, else the local one if it has been started, else the only one. */
export function defaultServer(machine: Files): ServerRef | null {
  const known = knownServers(machine);
  const saved = readServers(machine).default;
  if (saved !== null) return known.find(({ name }) => name === saved) ?? null;
  const local = known.find(({ name }) => name === "local");
  return local ?? (known.length === 1 ? known[0]! : null);
}

/** The server a person's command goes to: the one named, SERVICE_SERVER's, the default, else the local one. */
export function selectServer(machine: Files, named?: string): ServerRef {
  const wanted = named ?? machine.env["SERVICE_SERVER"];
  if (wanted) return namedServer(machine, wanted);
  const chosen = defaultServer(machine);
  if (chosen) return chosen;
  const known = knownServers(machine);
  if (known.length === 0) return localServer(machine);
  const saved = readServers(machine).default;
  throw new LocalError(
    "server_not_selected",
    saved === null
      ? "This machine knows several servers, and none of them is chosen."
      : `The saved default is ${saved}, and this machine has no key for that server.`,
    "Add `--server URL`, or save a default: `service servers use URL`.",
    { choices: known.map(({ url }) => url) },
  );
}

/** Whether a text names this server: `local`, its address in any spelling, or the address without its `https://`. */
export const isCalled = ({ name, url }: ServerRef, typed: string): boolean =>
  name === typed ||
  new URL(url).host === typed.toLowerCase() ||
  sameServer(writtenOnce(typed), url);

/** A server by its address or `local`. Refuses any other text, and a server that this machine has no key for. */
function namedServer(machine: Files, wanted: string): ServerRef {
  const local = localServer(machine);
  if (isCalled(local, wanted)) return local;
  const saved = savedServers(machine).find((server) => isCalled(server, wanted));
  if (saved) return saved;
  const url = writtenOnce(wanted);
  serverOrigin(wanted);
  throw new LocalError(
    "login_required",
    `This machine has no key for ${url}.`,
    `Sign in: \`service login ${url}\` with a key, or \`service connect LINK\` with an invitation.`,
  );
}

/** The person's key for a server, or null when this machine has none. */
export function keyFor(machine: Files, server: ServerRef): string | null {
  if (server.name === "local") return ownerToken(machine);
  return readServers(machine).servers.find(({ url }) => url === server.url)?.key ?? null;
}
