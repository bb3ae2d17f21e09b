import { refuse } from "../../contract/refusal.ts";

/** Checks the Host header: only the server's own address is answered, which no foreign page can use. */
export type HostCheck = (request: Request) => void;

/**
 * Makes the check of Host headers. A local server accepts its own address, and both names of this machine. A team server
 * accepts the host of its public URL only. Forwarding headers are never read.
 */
export function createHostCheck(server: { mode: "local" | "team"; url: string }): HostCheck {
  const { host, port } = new URL(server.url);
  const allowed =
    server.mode === "team"
      ? [host]
      : [
          host,
          `127.0.0.1:${port}`,
          `localhost:${port}`,
          ...(port ? [] : ["127.0.0.1", "localhost"]),
        ];
  return (request) => {
    const given = request.headers.get("host") ?? "";
    if (!allowed.includes(given.toLowerCase()))
      throw refuse("host_not_allowed", { host: given || "(none)", address: server.url });
  };
}
