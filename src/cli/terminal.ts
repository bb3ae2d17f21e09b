import { fstatSync, statSync } from "node:fs";

/**
 * Whether a standard stream is a terminal. `node:tty` takes longer to load than a command to run, so it is asked only
 * about what may be one.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || stats.rdev === nullDevice()) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

const nullDevice = () => statSync("/dev/null").rdev;
