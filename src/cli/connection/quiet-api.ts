import { buildInfo } from "../../client/build-info.ts";
import { createClient, type Client } from "../../client/client.ts";
import type { Cli } from "../frame/cli.ts";
import { sendTo } from "./api.ts";
import type { ServerRef } from "../../client/machine/servers.ts";

/**
 * A client for requests that must not start this machine's server: optional advice, and waits during which somebody may
 * stop the server on purpose. It sends each request once. `apiOf` has checked the address.
 */
export const quietApi = (cli: Cli, server: ServerRef, token?: string): Client =>
  createClient({
    baseUrl: server.url,
    version: buildInfo.version,
    fetch: (request) => sendTo(cli, server, request),
    ...(token && { token }),
  });
