import { refuse } from "../../contract/refusal.ts";

/** Which Host headers a server answers: its own address, and nothing that a foreign page could make a browser send. */
export type HostCheck = (request: Request) => void;

/** A local server answers for its own address, and for this machine by either name; a team server for its public URL's host alone. Forwarding headers are never read. */
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
