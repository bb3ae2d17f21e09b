import { Refusal, refuse } from "../../contract/refusal.ts";
import { ulid } from "../ids.ts";
import type { LogEntry } from "../log.ts";

export const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Turns whatever was thrown into a refusal. A fault is logged under an id; its text goes to the log alone. */
export function asRefusal(error: unknown, log: (entry: LogEntry) => void): Refusal {
  if (error instanceof Refusal) return error;
  const fault = ulid(Date.now()).slice(-10);
  const { message, stack, code } = error as { message?: string; stack?: string; code?: string };
  log({ level: "error", fault, message: message ?? String(error), code, stack });
  const storage = /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EIO|EROFS)/.test(code ?? "");
  return refuse(storage ? "storage_full" : "internal", { fault });
}

/** The one shape of every error. */
export function problem(refusal: Refusal): Response {
  return new Response(JSON.stringify(refusal.toBody()), {
    status: refusal.status,
    headers: {
      ...jsonHeaders,
      ...(refusal.status === 429 && { "retry-after": "60" }),
      ...(refusal.status === 416 && {
        "content-range": `bytes */${String(refusal.details?.["size"])}`,
      }),
    },
  });
}
