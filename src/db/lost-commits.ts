import { closeSync, openSync, readSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;
/** The first word of a log: the last bit says in which order of bytes its checksums are reckoned. */
const magic = 0x377f0682;

/**
 * Whether a database's write-ahead log has commits that SQLite would leave out without a word, since it ends the log at the
 * first frame that is damaged. One commit there is what a power cut leaves: it was not answered yet. A log whose salt is
 * damaged, and the last commit of any, cannot be told from that.
 */
export function hasLostCommits(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  try {
    return commitsBehindDamage(file) > 1;
  } finally {
    closeSync(file);
  }
}

function commitsBehindDamage(file: number): number {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return 0;
  const pageBytes = header.readUInt32BE(8);
  if (pageBytes < 512 || pageBytes > 65_536) return 0;
  const sum = createSum((header.readUInt32BE(0) & 1) === 1);
  sum.add(header.subarray(0, 24));
  let isWhole = (header.readUInt32BE(0) & ~1) === magic && sum.is(header, 24);
  let commits = 0;
  const frame = Buffer.alloc(frameHeaderBytes + pageBytes);
  for (let at = headerBytes; ; at += frame.length) {
    if (readSync(file, frame, 0, frame.length, at) < frame.length) return commits;
    // Frames of an earlier round of the log have another salt.
    const isOfThisLog = frame.subarray(8, 16).equals(header.subarray(16, 24));
    if (isWhole) {
      sum.add(frame.subarray(0, 8));
      sum.add(frame.subarray(frameHeaderBytes));
      isWhole = isOfThisLog && sum.is(frame, 16);
    }
    if (!isWhole && isOfThisLog && frame.readUInt32BE(4) > 0) commits++;
  }
}

/** The checksum of a log, which goes on from frame to frame. */
function createSum(isBigEndian: boolean) {
  let [one, other] = [0, 0];
  return {
    add(bytes: Buffer): void {
      const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let at = 0; at < bytes.length; at += 8) {
        one = (one + words.getUint32(at, !isBigEndian) + other) >>> 0;
        other = (other + words.getUint32(at + 4, !isBigEndian) + one) >>> 0;
      }
    },
    /** Whether it is what stands in these bytes. */
    is: (bytes: Buffer, at: number) =>
      bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === other,
  };
}
