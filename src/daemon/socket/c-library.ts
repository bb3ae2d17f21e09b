import { dlopen, ptr } from "bun:ffi";

const isMac = process.platform === "darwin";

/** The two calls of the C library that Bun does not have. */
const { symbols } = dlopen(isMac ? "libSystem.B.dylib" : "libc.so.6", {
  getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
  flock: { args: ["i32", "i32"], returns: "i32" },
});

/** `SO_PEERCRED` of `SOL_SOCKET` on Linux, `LOCAL_PEERCRED` of `SOL_LOCAL` on macOS. */
const [level, option] = isMac ? [0, 1] : [1, 17];

/** The user at the other end of a Unix socket, as the kernel knows it. Null if it cannot be read. */
export function peerUser(descriptor: number): number | null {
  const answer = new Uint32Array(32);
  const length = new Uint32Array([answer.byteLength]);
  if (symbols.getsockopt(descriptor, level!, option!, ptr(answer), ptr(length)) !== 0) return null;
  // Linux answers process, user and group; macOS a version and then the user. Both have the user in second place.
  return length[0]! >= 8 ? answer[1]! : null;
}

const exclusive = 2;
const atOnce = 4;

/** Locks an open file for this process until the file is closed. False if another process has it. */
export const lockWhole = (descriptor: number): boolean =>
  symbols.flock(descriptor, exclusive | atOnce) === 0;
