import { oneLine } from "../terminal/clean.ts";
import { shellWord } from "../../contract/shell-word.ts";
import { bold, dim } from "../terminal/style.ts";
import { words, type Typed } from "../frame/suggest.ts";
import type { BoardFile } from "./file-text.ts";
import { size } from "../terminal/size-text.ts";

interface Got {
  /** The name or id by which it was asked for. */
  readonly asked: string;
  readonly board: string;
  readonly name: string;
  readonly version: number;
  readonly latest: number;
  readonly size: number;
  /** Its path as it is typed here. */
  readonly shown: string;
  readonly isThere: boolean;
}

/** Says which version was fetched, where it is, and how to send changes to it. */
export function gotText(got: Got, typed: Typed): string {
  const what = `${bold(oneLine(got.name))} version ${got.version} on ${bold(got.board)}`;
  const put = /^brief\.(md|html)$/.test(got.name) ? "brief put" : "file put";
  return [
    got.isThere
      ? `${oneLine(got.shown)} holds ${what} already`
      : `Fetched ${what} to ${oneLine(got.shown)} · ${size(got.size)}`,
    got.version === got.latest
      ? dim(`Write your changes: ${typed(`${put} ${shellWord(got.shown)}`)}`)
      : dim(`The newest is version ${got.latest}: ${typed(words`file get ${got.asked}`)}`),
  ].join("\n");
}

/** Says which version was written, and how to tell others. */
export function putText({ name, board, latest }: BoardFile, tell: string | null): string {
  const { version } = latest;
  const what = `${bold(oneLine(name))} version ${version} on ${bold(board)}`;
  return [
    `${version === 1 ? "Made" : "Wrote"} ${what} · ${size(latest.size)}`,
    ...(tell === null ? [] : [dim(`Nobody is notified. To tell others: ${tell}`)]),
  ].join("\n");
}
