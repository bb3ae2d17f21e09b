import { ApiError } from "../../client/client.ts";
import { idForm, insideOf } from "../../contract/forms.ts";
import { boardOf, type Person } from "../acting/acting.ts";
import { placeOfTask } from "../acting/place-of-task.ts";
import { boardIn, messagePlace } from "../messages/message-reference.ts";
import { nearest } from "../frame/nearest.ts";
import { LocalError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";

/** What the board view is to show when it opens. */
export interface OpenedPlace {
  /** The board, or null for the list of boards. */
  readonly board: string | null;
  /** The part of the page's address after the server's. */
  readonly path: string;
  /** What names the place after the `#` of a link, where the server does not see it. */
  readonly words: Readonly<Record<string, string | number>>;
}

interface Flags {
  readonly board?: string | undefined;
  readonly server?: string | undefined;
}

const message = new RegExp(`^(${insideOf(idForm("msg"))}|([a-z0-9-]+#|#)?[1-9]\\d{0,9})$`);
const task = new RegExp(`^(${insideOf(idForm("tsk"))}|[a-z][a-z0-9]{1,5}-[1-9]\\d*)$`, "i");

/** The place that a word means: a board by its name, a message, a task, or a file of the chosen board. */
export async function openedPlace(
  cli: Cli,
  person: Person,
  flags: Flags,
  word: string | undefined,
): Promise<OpenedPlace> {
  const named = flags.board ?? cli.env["SERVICE_BOARD"];
  if (word === undefined) return named === undefined ? home : onBoard(person, named);
  if (message.test(word)) return atMessage(cli, person, flags, word);
  if (named === undefined && (await isBoard(person, word))) return onBoard(person, word);
  if (task.test(word)) return atTask(cli, person, flags, word);
  return atFile(cli, person, flags, word);
}

const home: OpenedPlace = { board: null, path: "/", words: {} };
const part = (text: string) => encodeURIComponent(text);

const place = (board: string, rest = "", words: OpenedPlace["words"] = {}): OpenedPlace => ({
  board,
  path: `/b/${part(board)}${rest}`,
  words: { board, ...words },
});

/** Whether the person can see a board of this name. */
const isBoard = ({ api }: Person, name: string): Promise<boolean> =>
  api.call("getBoard", { params: { board: name } }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return false;
      throw error;
    },
  );

async function onBoard({ api }: Person, name: string): Promise<OpenedPlace> {
  const board = await api.call("getBoard", { params: { board: name } });
  if (board.on_board) return place(board.name);
  throw new LocalError(
    "board_not_found",
    `You are not on the board ${board.name}.`,
    `It is open: \`service join --board ${board.name}\` takes you there, in a terminal.`,
  );
}

async function atMessage(cli: Cli, person: Person, flags: Flags, word: string) {
  // An id and `BOARD#6` name their board themselves.
  const isEnough = word.startsWith("msg_") || boardIn(word) !== undefined;
  const known = isEnough ? "" : await boardOf(cli, person, flags);
  const { board, seq } = await messagePlace({ api: person.api, board: known }, word);
  return place(board, `/m/${seq}`, { message: seq });
}

async function atTask(cli: Cli, person: Person, flags: Flags, word: string) {
  const found = await placeOfTask(cli, flags, word);
  const board = found?.board ?? (await boardOf(cli, person, flags));
  const { ref } = await person.api.call("getTask", { params: { board, task: word } });
  return place(board, `/tasks/${part(ref)}`, { task: ref });
}

async function atFile(cli: Cli, person: Person, flags: Flags, word: string) {
  const board = await boardOf(cli, person, flags).catch((error: unknown) => {
    throw notOfOneBoard(error, word);
  });
  const file = await person.api
    .call("getFile", { params: { board, file: word } })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      throw new LocalError(
        "file_not_found",
        `${word} is no board that you can see, and no file of ${board}.`,
        "`service boards` lists your boards, `service file list` the files of one.",
      );
    });
  return place(board, `/files/${part(file.name)}`, { file: file.name });
}

/** Where no board is named, a word that is nothing else may be a board that is written wrongly. */
function notOfOneBoard(error: unknown, word: string): unknown {
  if (!(error instanceof LocalError) || error.code !== "board_not_selected") return error;
  const choices = (error.details?.["choices"] ?? []) as readonly string[];
  const like = nearest(word, choices);
  return new LocalError(
    "board_not_found",
    `${word} is no board that you can see, and which board's file it is, is not said.`,
    like === null ? error.hint : `Did you mean \`service open ${like}\`? ${error.hint}`,
    error.details,
  );
}
