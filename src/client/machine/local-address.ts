import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { LocalError } from "./local-error.ts";
import { createPrivate } from "./private-files.ts";

const variable = "SERVICE_LOCAL_ADDR";
const defaultPort = 7400;
const loopback = new Set(["127.0.0.1", "[::1]"]);

/** The address that this machine's own server listens at. */
interface LocalAddress {
  readonly hostname: string;
  readonly port: number;
  readonly url: string;
}

/** Where the address chosen for a SERVICE_HOME is recorded. */
export const addressFile = (machine: Pick<Machine, "folders">): string =>
  join(machine.folders.data, "server.addr");

/** The address of this machine's server: SERVICE_LOCAL_ADDR, else that of the SERVICE_HOME, else port 7400. */
export function localAddress(machine: Pick<Machine, "env" | "folders" | "learned">): LocalAddress {
  const given = machine.env[variable];
  if (given) return parseAddress(given, variable);
  if (!machine.env["SERVICE_HOME"]) return parseAddress(`127.0.0.1:${defaultPort}`, "");
  const file = addressFile(machine);
  const recorded = machine.learned.text(file);
  if (recorded) return parseAddress(recorded.trim(), file);
  createPrivate(file, `127.0.0.1:${freePort()}\n`);
  return parseAddress((machine.learned.text(file) ?? "").trim(), file);
}

/** `localhost` is read as 127.0.0.1: it has two addresses, and another program may listen at the other one. */
function parseAddress(given: string, source: string): LocalAddress {
  const text = given.replace(/^localhost(?=:|$)/, "127.0.0.1");
  const url = URL.parse(`http://${text}`);
  if (
    !url ||
    url.host !== text.replace(/:80$/, "") ||
    !loopback.has(url.hostname) ||
    url.port === "0"
  )
    throw new LocalError(
      "invalid_request",
      `${source} is not an address of this machine: ${given}.`,
      "Write it as `127.0.0.1:PORT`.",
      undefined,
      source === variable ? 2 : 1,
    );
  return { hostname: url.hostname, port: Number(url.port || 80), url: url.origin };
}

/** A port that is free now. */
function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
