import { idForm, insideOf } from "../../contract/forms.ts";
import { greatestSeq } from "../../contract/limits.ts";
import { ApiError } from "../../client/client.ts";
import type { Api } from "../connection/api.ts";
import type { Seat } from "../../client/machine/seats.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Message } from "./message-types.ts";
import { hintedWith } from "../frame/suggest.ts";

const written = new RegExp(
  `^(?:(?<id>${insideOf(idForm("msg"))})|(?:(?<board>[a-z0-9-]+)[#/]|#)?(?<seq>[1-9]\\d{0,9}))$`,
);

/** A reference to a message: its id, or its number on a board. */
type Reference = { readonly id: string } | { readonly board: string; readonly seq: number };

/** The place of a reference: the board for a number alone, and the seat if an agent names the message. */
export interface Place {
  readonly api: Api;
  readonly board: string;
  readonly seat?: Seat;
}

/** Reads `msg_…`, `6`, `#6` or `BOARD#6`, also with a slash, as people write it. A number alone is on the board of the place. */
function referenceOf(text: string, place: Place): Reference {
  const { board } = place;
  const { id, board: named = board, seq } = written.exec(text)?.groups ?? {};
  if (id) return { id };
  if (Number(seq) <= greatestSeq) return { board: named, seq: Number(seq) };
  throw new LocalError(
    "message_ref_invalid",
    `${text} names no message.`,
    `Write its number, such as \`6\` or \`${board}#6\`, or its id (\`msg_…\`): ${reading(place)} shows them.`,
  );
}

/** The board in a reference such as `BOARD#6`. */
export const boardIn = (text: string | undefined): string | undefined =>
  written.exec(text ?? "")?.groups?.["board"];

/** A reference as output writes it: a number alone gets its `#`. */
export const shownReference = (text: string): string => text.replace(/^(?=\d)/, "#");

/** The id of a message. Refuses one that is not there, or that the caller may not read. */
export async function messageId(place: Place, text: string): Promise<string> {
  const reference = referenceOf(text, place);
  return "id" in reference ? reference.id : (await messageNumbered(place, reference, text)).id;
}

/** A message's board and number; looked up if the reference is an id. */
export async function messagePlace(place: Place, text: string) {
  const reference = referenceOf(text, place);
  if ("seq" in reference) return reference;
  const params = { message: reference.id };
  const { message } = await readable(place, text, place.api.call("getMessage", { params }));
  return { board: message.board, seq: message.seq };
}

async function messageNumbered(
  place: Place,
  { board, seq }: { readonly board: string; readonly seq: number },
  text: string,
): Promise<Message> {
  const query = { after: seq - 1, limit: 1 };
  const page = place.api.call("listMessages", { params: { board }, query });
  const [message] = (await readable(place, text, page)).messages;
  if (message?.seq === seq) return message;
  throw unreadable(place, text);
}

const hidden = new Set(["message_not_found", "board_not_found", "not_on_board"]);

/** Refuses a reference to a message that does not exist or that the caller may not read, in the same words. */
export async function readable<T>(place: Place, text: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || !hidden.has(error.code)) throw error;
    // To read a board that is not there would be refused again. An agent is led to its own board, which is.
    const isNoBoard = error.code === "board_not_found" && !place.seat;
    throw unreadable(place, text, isNoBoard ? otherBoard(place) : undefined);
  }
}

/** The command with which the caller finds messages, in backticks. */
const reading = ({ board, seat }: Place): string =>
  seat
    ? hintedWith({ as: seat.name, board: seat.board })("read")
    : hintedWith({ board, me: true })("read");

const otherBoard = ({ board }: Place): string =>
  `You can see no board ${board}: \`service boards\` lists yours.`;

const unreadable = (
  place: Place,
  text: string,
  hint = `Name one by its number on the board, or by its id: ${reading(place)} shows them.`,
): LocalError =>
  new LocalError("message_ref_invalid", `There is no message ${text} that you can read.`, hint);
