/**
 * Every kind of secret that has a prefix, by what it is for. It is all that scrubbers, scans and schemas know of a
 * kind, so a kind that is added here is known to each of them. This file imports nothing: the command line reads it too.
 */
export const secretPrefixes = {
  key: "abh",
  agent: "aba",
  browser: "abb",
  delegation: "abd",
  pairing: "abp",
  invitation: "abi",
  loginCode: "abl",
  machineRequest: "abc",
  /** Nothing makes one. It looks like the others, so it is kept out of texts and files like them. */
  reserved: "abk",
} as const satisfies Record<string, `ab${string}`>;

/** A kind of secret that has a prefix. */
export type SecretKind = keyof typeof secretPrefixes;

const kinds = Object.keys(secretPrefixes) as SecretKind[];
const characters = "[A-Za-z0-9_-]";

/** The kind of a secret, by its prefix. Null for any other text. */
export const kindOfSecret = (text: string): SecretKind | null =>
  kinds.find((kind) => text.startsWith(`${secretPrefixes[kind]}_`)) ?? null;

/** How documents and hints show a secret of a kind: its prefix alone. */
export const shownSecret = (kind: SecretKind): string => `${secretPrefixes[kind]}_…`;

/** The schema pattern of a whole secret of a kind that the server makes. */
export const secretPattern = (kind: SecretKind): string =>
  `^${secretPrefixes[kind]}_${characters}{32,}$`;

/** The schema pattern of a whole secret of a kind that a client makes: exactly 32 bytes in base64url. */
export const ownSecretPattern = (kind: SecretKind): string =>
  `^${secretPrefixes[kind]}_${characters}{43}$`;

/** Finds secrets of all kinds in a text: a prefix with at least so many characters after it. */
export const secretsInText = (atLeast: number): RegExp =>
  new RegExp(`(?:${Object.values(secretPrefixes).join("|")})_${characters}{${atLeast}}`, "g");

const secrets = new RegExp(`${secretsInText(16).source}${characters}*`, "g");

/**
 * Cuts every secret in a text down to its prefix. Refusals repeat what was sent, and they are stored, printed and passed on:
 * a secret that was sent in the wrong place must not be in them.
 */
export const withoutSecrets = (text: string): string =>
  text.replace(secrets, (found) => `${found.slice(0, found.indexOf("_") + 1)}…`);
