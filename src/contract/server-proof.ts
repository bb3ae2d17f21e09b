/**
 * The text of a local server's proof, which is its HMAC-SHA256 under the server's digest key. The text has the server's own
 * address, so a program at another address cannot pass on a proof that it fetched from the server.
 */
export const provenText = (serverId: string, url: string, challenge: string): string =>
  `local server ${serverId} at ${new URL(url).origin} answers ${challenge}`;
