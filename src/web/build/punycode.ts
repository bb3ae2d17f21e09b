/**
 * What the Markdown parser needs of the package `punycode.js`, by the browser's own rules for the names of hosts. A host
 * that was written as `xn--…` is shown so: a name that looks like another's is not made of it.
 */
export default {
  /** Throws on a name that no host can have; the parser then leaves it as it is written. */
  toASCII: (host: string): string =>
    /[^\0-\x7f]/.test(host) ? new URL(`https://${host}`).hostname : host,
  toUnicode: (host: string): string => host,
};
