import { dlopen, ptr } from "bun:ffi";

/** What `poll` says of a pipe without a reader, of a terminal that has gone, and of a descriptor that is closed. */
const ended = 8 | 16 | 32;

/**
 * Whether nobody reads stdout any more, as after `| head`. A write would tell, but whoever follows a board may have nothing to
 * write for hours. False where the C library has another name than on Debian or macOS.
 */
export function readerLeft(descriptor: number): boolean {
  try {
    const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
    const { symbols, close } = dlopen(library, {
      poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
    });
    // A `pollfd`: the descriptor, then the events that are asked for and those that happened, 16 bits each.
    const asked = new Int32Array([descriptor, 0]);
    const happened = symbols.poll(ptr(asked), 1, 0) > 0 ? asked[1]! >>> 16 : 0;
    close();
    return (happened & ended) !== 0;
  } catch {
    return false;
  }
}
