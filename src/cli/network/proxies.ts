import type { Env } from "../../client/machine/machine.ts";
import { isThisMachine } from "../../client/machine/server-address.ts";

/**
 * Calls `fetch` without a proxy for addresses of this machine, whatever the proxy variables say: a proxy must not see a
 * local server's key. Bun has no option for it. It reads these variables while `fetch` is
 * called, so no other request and no child process sees them changed.
 */
export function fetchDirectly(request: Request, options: BunFetchRequestInit): Promise<Response> {
  if (!isThisMachine(request.url)) return fetch(request, options);
  const names = ["NO_PROXY", "no_proxy"];
  const before = names.map((name) => process.env[name]);
  try {
    for (const name of names) process.env[name] = "*";
    return fetch(request, options);
  } finally {
    names.forEach((name, index) => {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
  }
}

/** The variables that name the proxy of an https address, in the order in which Bun reads them. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/** The proxy for an address, without its password, and the variable that names it; null without a proxy. */
export function proxyOf(env: Env, address: string): { variable: string; host: string } | null {
  const url = URL.parse(address);
  if (!url || isThisMachine(address) || isExcepted(env, url)) return null;
  const variable = proxyVariables.find((name) => env[name]);
  if (!variable) return null;
  const host = /^(?:\w+:\/\/)?(?:.*@)?([^/]*)/.exec(env[variable]!)?.[1] ?? "";
  return { variable, host };
}

/** Whether NO_PROXY names a host or a domain that it belongs to. */
function isExcepted(env: Env, { hostname, host }: URL): boolean {
  const entries = (env["no_proxy"] || env["NO_PROXY"] || "").toLowerCase().split(",");
  return entries
    .map((entry) => entry.trim().replace(/^\*?\./, ""))
    .some(
      (entry) =>
        entry === "*" || entry === hostname || entry === host || hostname.endsWith(`.${entry}`),
    );
}
