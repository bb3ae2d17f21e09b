import { secretsInText } from "../../contract/credentials.ts";

/** Patterns of credentials, each matching the shortest form: further characters do not matter. */
const patterns = [
  ["a credential of this service", secretsInText(24)],
  // Words such as `task-` end like the prefix: behind a letter or digit it counts only after an escaped line break.
  ["an API key (`sk-…`)", /sk-(?<=(?:^|[^A-Za-z0-9]|\\[nrt])sk-)[A-Za-z0-9_-]{20}/g],
  ["a GitHub token", /gh[oprsu]_[A-Za-z0-9]{20}/g],
  ["a private key", /-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----/g],
] as const;

/** How many bytes of a piece are searched again with the next: more than the longest pattern with its look-behind. */
const overlap = 64;
/** The look-behind of a pattern, in bytes. */
const lookback = 2;

/** Makes a scan. It keeps only the last 64 bytes, enough to find a credential that two pieces share. */
export function createSecretScan() {
  let found: string | null = null;
  let before = "";
  return {
    add(bytes: Uint8Array): void {
      if (found !== null) return;
      // One character for each byte, whatever the encoding.
      const text =
        before + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
      for (const [name, pattern] of patterns) {
        // A match at the very beginning lacks its look-behind; the search of the piece before has found it.
        pattern.lastIndex = before.length < overlap ? 0 : lookback;
        if (pattern.test(text)) found ??= name;
      }
      before = text.slice(-overlap);
    },
    /** The kind of the first credential that was found, for a message; null until one is. */
    found: () => found,
  };
}
