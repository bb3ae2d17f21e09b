import { ApiError } from "../client/client.ts";
import type { Api } from "./api.ts";
import { CliError } from "./errors.ts";
import type { Message } from "./render/message.ts";

const written =
  /^(?:(?<id>msg_[0-9A-HJKMNP-TV-Z]{26})|(?:(?<board>[a-z0-9-]+)#|#)?(?<seq>[1-9]\d{0,9}))$/;
const greatestSeq = 0xffff_ffff;

/** A message as it was named: by its id, or by its number on a board. */
export type Reference = { readonly id: string } | { readonly board: string; readonly seq: number };

/** Reads `msg_…`, `6`, `#6` or `BOARD#6`. A number alone is on the given board. */
export function referenceOf(text: string, board: string): Reference {
  const { id, board: named = board, seq } = written.exec(text)?.groups ?? {};
  if (id) return { id };
  if (Number(seq) <= greatestSeq) return { board: named, seq: Number(seq) };
  throw new CliError(
    "message_ref_invalid",
    `${text} names no message.`,
    `Write its number, such as \`6\` or \`${board}#6\`, or its id (\`msg_…\`): \`service read\` shows them.`,
  );
}

/** A reference as output writes it: a number alone gets its `#`. */
export const shownReference = (text: string): string => text.replace(/^(?=\d)/, "#");

/** The id of a message. Refuses one that is not there, or that the caller may not read. */
export async function messageId(api: Api, text: string, board: string): Promise<string> {
  const reference = referenceOf(text, board);
  return "id" in reference ? reference.id : (await messageNumbered(api, reference, text)).id;
}

/** A message's board and number, found by its id when it was named by that. */
export async function messagePlace(api: Api, text: string, board: string) {
  const reference = referenceOf(text, board);
  if ("seq" in reference) return reference;
  const params = { message: reference.id };
  const { message } = await readable(text, board, api.call("getMessage", { params }));
  return { board: message.board, seq: message.seq };
}

async function messageNumbered(
  api: Api,
  { board, seq }: { readonly board: string; readonly seq: number },
  text: string,
): Promise<Message> {
  const page = api.call("listMessages", { params: { board }, query: { after: seq - 1, limit: 1 } });
  const [message] = (await readable(text, board, page)).messages;
  if (message?.seq === seq) return message;
  throw unreadable(text, board);
}

const hidden = new Set(["message_not_found", "board_not_found", "not_on_board"]);

/** A message that is not there, or not for the caller, is refused as a reference that names nothing. */
export async function readable<T>(text: string, board: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && hidden.has(error.code)) throw unreadable(text, board);
    throw error;
  }
}

const unreadable = (text: string, board: string): CliError =>
  new CliError(
    "message_ref_invalid",
    `There is no message ${text} that you can read.`,
    `Name one of board ${board} by its number, or by its id: \`service read\` shows them.`,
  );
