/** A network of IP addresses, such as 10.0.0.0/8. */
export interface Network {
  /** How many bits its addresses have. */
  readonly bits: 32 | 128;
  /** The bits that all of its addresses begin with, each as a digit. */
  readonly start: string;
}

/** An IP address in its one shortest form, an IPv4 address inside an IPv6 one as IPv4; null if a text is none. */
export function plainAddress(text: string): string | null {
  if (!text.includes(":")) return isIpv4(text) ? text : null;
  const short = /^[\da-f:.]+$/i.test(text) && URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
  if (!short) return null;
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? [];
  if (!high || !low) return short;
  return [high, low]
    .map((part) => parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join(".");
}

/** Reads a network in CIDR notation. Null if a text is none, or if it stands for IPv4 addresses inside IPv6 ones. */
export function networkOf(text: string): Network | null {
  const [, written = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = plainAddress(written);
  if (address === null || written.includes(":") !== address.includes(":")) return null;
  const all = bitsOf(address);
  if (Number(length) > all.length) return null;
  return { bits: all.length as 32 | 128, start: all.slice(0, Number(length)) };
}

/** Whether an address in its shortest form belongs to a network. */
export function isWithin({ bits, start }: Network, address: string): boolean {
  const all = bitsOf(address);
  return all.length === bits && all.startsWith(start);
}

const isIpv4 = (text: string): boolean =>
  /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text) &&
  text.split(".").every((part) => Number(part) <= 255);

/** The bits of an address in its shortest form, each as a digit. */
function bitsOf(address: string): string {
  if (!address.includes(":"))
    return address
      .split(".")
      .map((part) => Number(part).toString(2).padStart(8, "0"))
      .join("");
  const [before = [], after = []] = address
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after]
    .map((group) => parseInt(group, 16).toString(2).padStart(16, "0"))
    .join("");
}
