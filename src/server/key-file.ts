import { writePrivately } from "../client/files/private-file.ts";

/** Writes a key into a file that its owner alone can read. */
export const writeKeyFile = (file: string, token: string): void =>
  writePrivately(file, `${token}\n`);
