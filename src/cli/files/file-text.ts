import type { OutputOf } from "../../contract/index.ts";
import { oneLine } from "../terminal/clean.ts";
import { bold, cyan, dim, green } from "../terminal/style.ts";
import { columns, counted } from "../terminal/table.ts";
import { words, type Typed } from "../frame/suggest.ts";
import { header } from "../messages/message-text.ts";
import { size } from "../terminal/size-text.ts";
import { when } from "../terminal/time-text.ts";

type FileList = OutputOf<"listFiles">;
type FileDetail = OutputOf<"getFile">;
export type BoardFile = FileList["files"][number];

/** A board's files: those that are kept up to date, then the others. */
export function fileListText({ board, files, more }: FileList, rest: string): string {
  const groups = [
    { title: "Maintained", own: files.filter(({ maintained }) => maintained) },
    { title: "Others", own: files.filter(({ maintained }) => !maintained) },
  ].filter(({ own }) => own.length > 0);
  const titled = groups.length > 1 || groups[0]?.title === "Maintained";
  return [
    header(board, `${counted(files.length, "file", "files")}${more ? " and more" : ""}`),
    ...groups.flatMap(({ title, own }) => [...(titled ? [dim(title)] : []), fileRows(own)]),
    ...(more ? [`There are more: ${rest}`] : []),
  ].join("\n");
}

/** Files, each on a line: its newest version, who wrote it and when, and what else is known of it. */
const fileRows = (files: readonly BoardFile[]): string =>
  columns(
    files.map((file) => [
      bold(oneLine(file.name)),
      `v${file.latest.version}`,
      writer(file.latest.by),
      when(file.latest.at),
      size(file.latest.size),
      dimmed(remarks(file).join(" · ")),
    ]),
  );

/** Files that are shown with their task. */
export const filesText = (files: readonly BoardFile[]): string[] =>
  files.length ? [dim("Files"), fileRows(files)] : [];

/** Nothing stays nothing, so that a line ends where its words do. */
const dimmed = (text: string): string => (text === "" ? "" : dim(text));
const writer = ({ name }: { readonly name: string }): string => cyan(`@${oneLine(name)}`);

function remarks({ approvals, about, maintained, freshness, latest }: BoardFile): string[] {
  const current = approvals.filter(({ version }) => version === latest.version);
  const earlier = approvals.filter(({ version }) => version !== latest.version);
  return [
    ...(current.length ? [`approved by ${current.map(approver).join(", ")}`] : []),
    ...earlier.map((one) => `v${one.version} approved by ${approver(one)}`),
    ...(about.length ? [`about ${about.map(({ ref }) => ref).join(", ")}`] : []),
    ...(maintained ? sinceThen(freshness) : []),
  ];
}

const approver = ({ person }: BoardFile["approvals"][number]) => `@${oneLine(person.name)}`;

/** Counts of what happened on the board since a version was written, without zeros. */
export function sinceThen(freshness: BoardFile["freshness"]): string[] {
  const { messages_since, tasks_done_since, answers_since } = freshness;
  const parts = [
    ...(messages_since ? [counted(messages_since, "message", "messages")] : []),
    ...(tasks_done_since ? [`${counted(tasks_done_since, "task", "tasks")} done`] : []),
    ...(answers_since ? [counted(answers_since, "answer", "answers")] : []),
  ];
  return parts.length ? [`${parts.join(", ")} since`] : [];
}

/** One file as text. `asked` is its name, or its id where that alone finds it. */
export function fileText(file: FileDetail, asked: string, typed: Typed): string {
  const { board, id, name, latest, maintained, about, versions, approvals } = file;
  return [
    header(board, oneLine(name), `version ${latest.version}`),
    `  ${[
      oneLine(latest.media_type),
      size(latest.size),
      ...(maintained ? ["maintained"] : []),
      ...(about.length ? [`about ${about.map(({ ref }) => ref).join(", ")}`] : []),
      ...sinceThen(file.freshness),
    ].join(dim(" · "))}`,
    `  ${dim(id)}`,
    dim("Versions"),
    columns(
      versions.map((one) => [`v${one.version}`, writer(one.by), when(one.at), size(one.size)]),
    ),
    ...(approvals.length ? [dim("Approved"), columns(approvals.map(approvalRow))] : []),
    ...postings(file),
    dim(`Fetch it: ${typed(words`file get ${asked}`)}`),
  ].join("\n");
}

const approvalRow = (one: BoardFile["approvals"][number]): string[] => [
  green(`v${one.version}`),
  cyan(approver(one)),
  when(one.at),
  one.changes_since ? `${counted(one.changes_since, "version", "versions")} since` : "",
];

function postings({ posted_in }: FileDetail): string[] {
  if (posted_in.length === 0) return [];
  const rows = posted_in.map(({ seq, version, thread_root_seq: root }) => [
    bold(`#${seq}`),
    `v${version}`,
    dimmed(root === null || root === seq ? "" : `in the thread of #${root}`),
  ]);
  return [dim("Attached to"), columns(rows)];
}
