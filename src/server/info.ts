import { changeSettings, generationOf, serverRow } from "../db/accounts.ts";
import type { ReadTx } from "../db/engine/database.ts";
import type { Handler } from "./handler.ts";

export const getInfo: Handler<"getInfo"> = (
  tx,
  _standing,
  { query: { challenge } },
  { server, secrets },
) => ({
  name: "service",
  version: server.version,
  ...(server.commit && { commit: server.commit }),
  ...(server.commitTime && { commit_time: server.commitTime }),
  server_id: server.id,
  generation: generationOf(tx),
  mode: server.mode,
  features: ["tasks", "asks", "lines", "files"],
  storage: { db: "sqlite", files: "disk" },
  ...(challenge !== undefined &&
    server.mode === "local" && { proof: secrets.proof(server.id, server.url, challenge) }),
});

export const getSettings: Handler<"getSettings"> = (tx) => settings(tx);

export const updateSettings: Handler<"updateSettings"> = (tx, _standing, { body }) => {
  const after = { ...settings(tx), ...body };
  changeSettings(tx, { ...after, agents_add_people: after.agents_add_people ? 1 : 0 });
  return after;
};

/** The server's settings in the form of the wire. */
export function settings(tx: ReadTx) {
  const row = serverRow(tx)!;
  return { board_creation: row.board_creation, agents_add_people: row.agents_add_people === 1 };
}
