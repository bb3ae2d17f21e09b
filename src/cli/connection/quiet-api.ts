import { buildInfo } from "../../client/build-info.ts";
import { createClient, type Client } from "../../client/client.ts";
import type { Cli } from "../frame/cli.ts";
import { sendTo } from "./api.ts";
import type { ServerRef } from "../../client/machine/servers.ts";

/**
 * A client for what must not start this machine's server: advice that may be missing, and waits during which somebody
 * may stop the server on purpose. Each request is sent once. The address was checked by `apiOf`.
 */
export const quietApi = (
  cli: Cli,
  server: ServerRef,
  token?: string,
  received: (response: Response) => Response = (response) => response,
): Client =>
  createClient({
    baseUrl: server.url,
    version: buildInfo.version,
    fetch: async (request) => received(await sendTo(cli, server, request)),
    ...(token && { token }),
  });
