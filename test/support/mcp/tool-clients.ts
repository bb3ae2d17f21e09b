import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { resolve } from "node:path";

const main = resolve(import.meta.dir, "../../../src/main.ts");

/** The lines of official clients: the one for the present revision of the protocol, the same held to the previous, and the old one. */
export const lines = ["new", "new, previous revision", "old"] as const;
export type Line = (typeof lines)[number];

/** The answer of a tool. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: any;
  readonly isError: boolean;
}

/** A connected client, of whichever line. */
export interface ToolClient {
  tools(): Promise<{ name: string; description?: string; inputSchema: object }[]>;
  use(name: string, args?: object, meta?: object, signal?: AbortSignal): Promise<ToolAnswer>;
  /** Process id of the server, if this client started one. */
  readonly pid: number | null;
  /** What the process has written to its standard error. */
  readonly stderr: () => string;
  close(): Promise<void>;
}

const info = { name: "tests", version: "1" };
const newClient = (line: Line) =>
  new NewClient(info, {
    versionNegotiation: { mode: line === "new" ? { pin: "2026-07-28" } : "legacy" },
  });

interface Http {
  readonly url: string;
  readonly token: string;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Connects over HTTP, with a token. */
export async function overHttp(line: Line, { url, token, fetch: send }: Http): Promise<ToolClient> {
  const address = new URL("/mcp", url);
  const options = {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(send && {
      fetch: (to: string | URL | Request, init?: RequestInit) => send(new Request(to, init)),
    }),
  };
  if (line === "old") {
    const client = new OldClient(info);
    await client.connect(new OldHttp(address, options as never) as never);
    return clientOf(client as never);
  }
  const client = newClient(line);
  await client.connect(new NewHttp(address, options as never));
  return clientOf(client as never);
}

interface Stdio {
  readonly home: string;
  readonly env: Record<string, string>;
}

/** Starts `service mcp` and connects to it. */
export async function overStdio(
  line: Line,
  { home, env }: Stdio,
  words: readonly string[] = [],
): Promise<ToolClient> {
  const server = {
    command: process.execPath,
    args: [main, "mcp", ...words],
    env,
    cwd: home,
    stderr: "pipe" as const,
  };
  const transport = line === "old" ? new OldStdio(server) : new NewStdio(server);
  let said = "";
  transport.stderr?.on("data", (chunk: unknown) => (said += String(chunk)));
  const client = line === "old" ? new OldClient(info) : newClient(line);
  await client.connect(transport as never);
  return clientOf(client as never, transport.pid, () => said);
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>;
  callTool(params: object, ...rest: unknown[]): Promise<any>;
  close(): Promise<void>;
}

function clientOf(client: AnyClient, pid: number | null = null, stderr = () => ""): ToolClient {
  return {
    pid,
    stderr,
    tools: async () => (await client.listTools()).tools,
    async use(name, args = {}, meta, signal) {
      const params = { name, arguments: { ...args }, ...(meta && { _meta: { ...meta } }) };
      const options = signal ? { signal } : undefined;
      const isOld = client instanceof OldClient;
      const answer = await (isOld
        ? client.callTool(params, undefined, options)
        : client.callTool(params, options));
      return {
        text: answer.content[0].text,
        data: answer.structuredContent,
        isError: answer.isError === true,
      };
    },
    close: () => client.close(),
  };
}
