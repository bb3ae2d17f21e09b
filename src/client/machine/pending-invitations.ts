import { createHash } from "node:crypto";
import { join } from "node:path";
import { secretPrefixes } from "../../contract/credentials.ts";
import type { Machine } from "./machine.ts";
import { changeJson, hasTexts, isCredential, type JsonFile } from "./private-files.ts";
import type { ServerRef } from "./servers.ts";

/** Keys that were sent with an invitation and are not known to work, by what they were sent with. */
type Keys = Record<string, string>;
const keysFile = (machine: Machine): JsonFile<Keys> => ({
  path: join(machine.folders.config, "connecting.json"),
  holds: (content): content is Keys =>
    !Array.isArray(content) &&
    hasTexts(content, Object.keys(content ?? {})) &&
    Object.values(content as Keys).every(isCredential),
  // Its keys were sent and never answered for: who types a link for the first time needs none of them.
  movedAside: (to) =>
    machine.note(
      `The file connecting.json was damaged, and is now ${to}. If you have used this link before and it is refused now, ask whoever invited you for another one.`,
    ),
});

/** The invitation's own secret is not kept. */
const nameOf = ({ url }: ServerRef, invite: string): string =>
  createHash("sha256").update(`${url} ${invite}`).digest("hex");

/** The key that an invitation is redeemed with: the one that a run before this sent, else a new one. It is on disk before it is sent. */
export function keyToSend(machine: Machine, server: ServerRef, invite: string): string {
  const name = nameOf(server, invite);
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  let key = `${secretPrefixes.key}_${secret}`;
  changeJson(keysFile(machine), {}, (keys) => ({ ...keys, [name]: (key = keys[name] ?? key) }));
  return key;
}

/** Forgets the key of an invitation, once it is kept elsewhere or will never work. */
export const forgetKeyToSend = (machine: Machine, server: ServerRef, invite: string): void =>
  changeJson(keysFile(machine), {}, ({ [nameOf(server, invite)]: _, ...others }) => others);
