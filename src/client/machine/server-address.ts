import { LocalError, usageError } from "./local-error.ts";

const thisMachine = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address is this machine's own. */
export const isLoopback = (url: string): boolean => thisMachine.has(URL.parse(url)?.hostname ?? "");

/** Whether an address leads to this machine and nowhere else, by whatever name. */
export const isThisMachine = (url: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f.*\])$/.test(
    URL.parse(url)?.hostname ?? "",
  );

/** Whether two addresses are of one server: every name of this machine with the same port is. */
export const sameServer = (one: string, other: string): boolean =>
  one === other ||
  (isLoopback(one) && isLoopback(other) && new URL(one).port === new URL(other).port);

/** A server's address in the spelling in which it is saved. Any other text comes back unchanged. */
export function writtenOnce(typed: string): string {
  const url = URL.parse(typed);
  return url && `${url.origin}/` === url.href ? url.origin : typed;
}

/** Whether a text is a server's address in that spelling. */
export const isServerAddress = (text: string): boolean =>
  /^https?:/.test(text) && URL.parse(text)?.origin === text;

/** Refuses to speak plain http to another machine, where a key could be read on the way. */
export function refuseInsecure(url: string): void {
  if (!url.startsWith("https://") && !isLoopback(url))
    throw new LocalError(
      "insecure_server",
      `${url} is another machine and not https, so a key would be readable on the way.`,
      "Use the server's https address.",
    );
}

/** The origin of an address typed by a person: http or https, without user, path, query and fragment. */
export function serverOrigin(typed: string): string {
  const url = URL.parse(typed);
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw usageError(
      `${typed} is not the address of a server.`,
      "Write it as `https://HOST` or `https://HOST:PORT`, without a path; `service servers` lists those known here.",
    );
  return url.origin;
}
