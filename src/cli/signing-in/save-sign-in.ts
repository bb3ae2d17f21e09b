import type { Cli } from "../frame/cli.ts";
import { saveKey, type ServerRef } from "../../client/machine/servers.ts";

/** Keeps a new key on this machine, and gives what may be shown: the key without its secret. */
export function saveSignIn<
  P extends { readonly id: string; readonly handle: string },
  K extends { readonly token: string },
>(cli: Cli, server: ServerRef, signIn: { server_id: string; person: P; key: K }) {
  const { server_id, person } = signIn;
  const { token, ...key } = signIn.key;
  const becameDefault = saveKey(cli, server, { server_id, person, key: token });
  return { server_id, person, key, becameDefault };
}
