/**
 * What a local server's proof is the HMAC-SHA256 of, under its digest key. The address is the server's own, so that a proof
 * which somebody else at another address fetches from the server fits that address and not theirs.
 */
export const provenText = (serverId: string, url: string, challenge: string): string =>
  `local server ${serverId} at ${new URL(url).origin} answers ${challenge}`;
