import { secretPrefixes, type SecretKind } from "../contract/credentials.ts";
import { provenText } from "../contract/server-proof.ts";

/** Makes secrets, and the digests that are stored instead of them. */
export interface Secrets {
  /** A new secret: 256 random bits in URL-safe base64 after the prefix of its kind. */
  create(kind: SecretKind): string;
  /** The only form in which a secret is stored: HMAC-SHA256 under the server's digest key, in lowercase hex. */
  digest(secret: string): string;
  /** The same digest of a credential that a request presents. Nearly every request presents one that came before. */
  readonly presented: { digest(credential: string): string };
  /** The token that a page must send with each change. It is made from the id of one browser session. */
  csrf(sessionId: string): string;
  /** The proof of a local server that it has its digest key. */
  proof(serverId: string, url: string, challenge: string): string;
}

/** How many presented credentials have their digests in memory. They are at most 200 characters long. */
const mostPresented = 16_384;

/** Makes and digests secrets under one server's key of 32 bytes. The key lies beside the database, never in it. */
export function createSecrets(digestKey: Uint8Array): Secrets {
  const digest = (text: string) =>
    new Bun.CryptoHasher("sha256", digestKey).update(text).digest("hex");
  const known = new Map<string, string>();
  return {
    create: (kind) =>
      `${secretPrefixes[kind]}_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`,
    digest,
    presented: {
      digest(credential) {
        const before = known.get(credential);
        if (before !== undefined) return before;
        if (known.size >= mostPresented) known.clear();
        const found = digest(credential);
        known.set(credential, found);
        return found;
      },
    },
    csrf: (sessionId) => digest(`csrf of ${sessionId}`),
    proof: (serverId, url, challenge) => digest(provenText(serverId, url, challenge)),
  };
}
