import { createHash } from "node:crypto";
import type { Output } from "../../src/contract/operation.ts";
import type { Operations } from "../../src/contract/index.ts";

export type LogEvent = Output<Operations["listEvents"]>["events"][number];

/** RFC 8785 for what a log holds: objects, lists, texts, whole numbers, truth values and null. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(",")}}`;
}

export const hashOf = (value: unknown) =>
  `sha256:${createHash("sha256").update(canonicalJson(value), "utf8").digest("hex")}`;

export const genesis = `sha256:${"0".repeat(64)}`;

/** The first thing wrong with a log that should be whole, checked in the contract's order, else null. */
export function brokenAt(events: readonly LogEvent[]): { seq: number; reason: string } | null {
  let [seq, previous] = [0, genesis];
  for (const event of events) {
    if (event.seq !== ++seq) return { seq, reason: "seq_gap" };
    if (event.prev_hash !== previous) return { seq, reason: "prev_hash_mismatch" };
    const { id, board_id, type, at, actor, data_hash, prev_hash } = event;
    if (event.hash !== hashOf({ id, board_id, seq, type, at, actor, data_hash, prev_hash }))
      return { seq, reason: "hash_mismatch" };
    if (event.data !== undefined && hashOf(event.data) !== data_hash)
      return { seq, reason: "data_hash_mismatch" };
    if ((event.data === undefined) !== (event.data_withheld === true))
      return { seq, reason: "data_withheld_mismatch" };
    previous = event.hash;
  }
  return null;
}
