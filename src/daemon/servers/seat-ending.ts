import { ApiError } from "../../client/client.ts";
import { SeatForgotten } from "../../client/machine/seats.ts";

/** A server has ended the stream of a seat. */
export class SeatEnded extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Answers after which a seat is over until a session binds it again. */
const endings = new Set(["unauthorized", "board_not_found", "agent_removed", "token_expired"]);

/** Why a seat gets nothing more after an error, as the status says it. Null for an error that may pass. */
export function endingOf(error: unknown): "unauthorized" | "board_gone" | null {
  // Whoever left the board or removed the agent here has the token taken out of this machine's file.
  if (error instanceof SeatForgotten) return "board_gone";
  const code = codeOf(error);
  if (!endings.has(code)) return null;
  return code === "unauthorized" ? code : "board_gone";
}

/** An error as the log says it. */
export const codeOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof SeatEnded
    ? error.code
    : error instanceof Error
      ? error.message
      : String(error);
