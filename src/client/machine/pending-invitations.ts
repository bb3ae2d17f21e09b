import { createHash } from "node:crypto";
import { join } from "node:path";
import { secretPrefixes } from "../../contract/credentials.ts";
import type { Machine } from "./machine.ts";
import { changeJson, hasTexts, isCredential, type JsonFile } from "./private-files.ts";
import type { ServerRef } from "./servers.ts";

/** Keys that were sent with an invitation and may or may not work, by a digest of server and invitation. */
type Keys = Record<string, string>;
const keysFile = (machine: Machine): JsonFile<Keys> => ({
  path: join(machine.folders.config, "connecting.json"),
  holds: (content): content is Keys =>
    !Array.isArray(content) &&
    hasTexts(content, Object.keys(content ?? {})) &&
    Object.values(content as Keys).every(isCredential),
  // Only a link that was used before needs these keys, so a damaged file does not stop a new one.
  movedAside: (to) =>
    machine.note(
      `The file connecting.json was damaged, and is now ${to}. If you have used this link before and it is refused now, ask whoever invited you for another one.`,
    ),
});

/** A digest, so that the invitation's own secret is not stored. */
const nameOf = ({ url }: ServerRef, invite: string): string =>
  createHash("sha256").update(`${url} ${invite}`).digest("hex");

/** The key to redeem an invitation with: the one that an earlier run sent, else a new one. It is on disk when this returns. */
export function keyToSend(machine: Machine, server: ServerRef, invite: string): string {
  const name = nameOf(server, invite);
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  let key = `${secretPrefixes.key}_${secret}`;
  changeJson(keysFile(machine), {}, (keys) => ({ ...keys, [name]: (key = keys[name] ?? key) }));
  return key;
}

/** Forgets the key of an invitation, after it was saved elsewhere or can never work. */
export const forgetKeyToSend = (machine: Machine, server: ServerRef, invite: string): void =>
  changeJson(keysFile(machine), {}, ({ [nameOf(server, invite)]: _, ...others }) => others);
