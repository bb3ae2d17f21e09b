import { secretsInText } from "../../contract/credentials.ts";

/** What a credential looks like in a text, each at its shortest: what follows changes nothing. */
const patterns = [
  ["a credential of this service", secretsInText(24)],
  // Words such as `task-` end like the prefix: behind a letter or digit it counts only after an escaped line break.
  ["an API key (`sk-…`)", /sk-(?<=(?:^|[^A-Za-z0-9]|\\[nrt])sk-)[A-Za-z0-9_-]{20}/g],
  ["a GitHub token", /gh[oprsu]_[A-Za-z0-9]{20}/g],
  ["a private key", /-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----/g],
] as const;

/** Bytes of the text before that are looked at again with the next: more than the longest pattern and what it looks back at. */
const overlap = 64;
/** What a pattern looks back at, in bytes. */
const lookback = 2;

/** Looks for credentials in bytes that come in pieces. */
export interface SecretScan {
  add(bytes: Uint8Array): void;
  /** What was found first, for a message; null while nothing was. */
  found(): string | null;
}

/** Makes a scan. It keeps the last 64 bytes alone, so that a credential across pieces is found as well. */
export function createSecretScan(): SecretScan {
  let found: string | null = null;
  let before = "";
  return {
    add(bytes) {
      if (found !== null) return;
      // One character for each byte, whatever the bytes mean.
      const text =
        before + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
      for (const [name, pattern] of patterns) {
        // What a match at the very beginning would look back at is gone, and it was found before.
        pattern.lastIndex = before.length < overlap ? 0 : lookback;
        if (pattern.test(text)) found ??= name;
      }
      before = text.slice(-overlap);
    },
    found: () => found,
  };
}
