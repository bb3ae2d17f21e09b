import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { programFile, programTargets, type ProgramTarget } from "../../contract/programs.ts";

/** A program that the server offers. */
export interface OfferedProgram {
  readonly target: ProgramTarget;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

/** The programs of a folder, offered to people who were invited. */
export interface Programs {
  /** What is offered now. The same list as before while no file changes. */
  offered(): Promise<readonly OfferedProgram[]>;
}

/** A program whose digest was taken while its file had this mark. */
interface Known {
  readonly mark: string;
  readonly program: OfferedProgram;
}

/**
 * Offers the programs in a folder. A file is offered only while the server cannot change it, nor the folder: otherwise
 * whoever gets into the server could hand its people another program. `user` is the server's, by number. `complain` is told
 * once of each file that is not offered for that reason.
 */
export function createPrograms(
  folder: string,
  user: number | undefined,
  complain: (problem: string) => void,
): Programs {
  const known = new Map<ProgramTarget, Known>();
  const told = new Set<string>();
  let list: readonly OfferedProgram[] = [];
  const isSafe = (path: string, stats: Stats | null): stats is Stats => {
    if (stats === null) return false;
    if (!mayChange(path, stats, user)) return true;
    if (!told.has(path))
      complain(`${path} is not offered for download: this server could change it`);
    told.add(path);
    return false;
  };
  const read = async (target: ProgramTarget): Promise<OfferedProgram | null> => {
    const path = join(folder, programFile(target));
    const stats = statsOf(path);
    if (!stats?.isFile() || !isSafe(path, stats)) return null;
    const mark = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    const before = known.get(target);
    if (before?.mark === mark) return before.program;
    const program = { target, path, size: stats.size, sha256: await sha256Of(path) };
    known.set(target, { mark, program });
    return program;
  };
  return {
    async offered() {
      const found = isSafe(folder, statsOf(folder))
        ? (await Promise.all(programTargets.map(read))).filter((program) => program !== null)
        : [];
      const isSame =
        found.length === list.length && found.every((program, index) => program === list[index]);
      return isSame ? list : (list = found);
    },
  };
}

const statsOf = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
};

/** Whether a user may change a file or folder. Root may change any, so for root only what belongs to somebody else is safe. */
function mayChange(path: string, { uid }: Stats, user: number | undefined): boolean {
  if (user === 0) return uid === 0;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(path).stream()) hasher.update(piece);
  return hasher.digest("hex");
}
