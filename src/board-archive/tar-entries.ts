import type { FileHandle } from "node:fs/promises";
import { archiveInvalid } from "./archive-invalid.ts";

/** One file in a tar, by where its bytes are. */
export interface TarEntry {
  readonly name: string;
  readonly start: number;
  readonly size: number;
}

const block = 512;

/**
 * The files of a tar in their order. Only plain files with short names are allowed: no folders, no links, no extensions of
 * the format. Refuses whatever else is there, and a tar without its end.
 */
export async function* tarEntries(file: FileHandle, length: number): AsyncGenerator<TarEntry> {
  if (length % block !== 0)
    throw archiveInvalid("it breaks off: its length is no whole number of tar blocks");
  const header = Buffer.alloc(block);
  for (let at = 0; at < length;) {
    await fill(file, header, at);
    if (header.every((byte) => byte === 0)) return requireEnd(file, at, length);
    const { name, size } = parsed(header, at);
    const start = at + block;
    at = start + Math.ceil(size / block) * block;
    if (at > length) throw archiveInvalid(`it breaks off inside ${name}`);
    yield { name, start, size };
  }
  throw archiveInvalid("it breaks off: the end of the tar is missing");
}

/** After the first block of zeros there is a second one, and nothing but zeros. */
async function requireEnd(file: FileHandle, at: number, length: number): Promise<void> {
  const left = length - at;
  if (left < 2 * block || left > 10 * 1024)
    throw archiveInvalid("the end of the tar is not as it must be");
  const end = Buffer.alloc(left);
  await fill(file, end, at);
  if (end.some((byte) => byte !== 0)) throw archiveInvalid("something follows the end of the tar");
}

async function fill(file: FileHandle, into: Buffer, at: number): Promise<void> {
  const { bytesRead } = await file.read(into, 0, into.length, at);
  if (bytesRead !== into.length) throw archiveInvalid("it breaks off");
}

function parsed(header: Buffer, at: number): { name: string; size: number } {
  const wrong = (problem: string) => archiveInvalid(`${problem} (at byte ${at} of the tar)`);
  const sum = header.reduce((all, byte, n) => all + (n >= 148 && n < 156 ? 32 : byte), 0);
  if (octal(header, 148, 8) !== sum) throw wrong("a header of the tar is damaged");
  const type = header.toString("latin1", 156, 157);
  if (type !== "0" && type !== "\0") throw wrong("it contains something that is no plain file");
  const name = terminated(header, 0, 100);
  if (terminated(header, 345, 155) !== "" || !/^[a-z0-9][a-z0-9./-]*$/.test(name))
    throw wrong("a name in it is none that an archive has");
  const size = octal(header, 124, 12);
  if (size === null) throw wrong("a size in it is no number");
  return { name, size };
}

const terminated = (header: Buffer, from: number, length: number): string =>
  header.toString("latin1", from, from + length).replace(/\0.*$/s, "");

function octal(header: Buffer, from: number, length: number): number | null {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(header.toString("latin1", from, from + length))?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 8);
}
