import { networkOf, type Network } from "../../contract/networks.ts";
import { usageError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";

const variable = "SERVICE_TRUST_PROXY";

/** The networks that `--trust-proxy` names, else SERVICE_TRUST_PROXY; none if neither is given. */
export function trustedProxies(cli: Cli, flag: string | undefined): readonly Network[] {
  const text = flag ?? cli.env[variable];
  if (!text) return [];
  const by = flag === undefined ? variable : "--trust-proxy";
  return text.split(",").map((each) => trustedNetwork(by, each.trim()));
}

/** Whether a proxy is named as trusted, by the flag or the variable. */
export const namesProxies = (cli: Cli, flag: string | undefined): boolean =>
  Boolean(flag ?? cli.env[variable]);

function trustedNetwork(by: string, text: string): Network {
  const network = networkOf(text);
  if (!network)
    throw usageError(
      `${by} is not a list of networks in CIDR notation: ${text}.`,
      "Name the addresses of your proxies, such as `127.0.0.1/32` or `10.0.0.0/8,fd00::/8`.",
    );
  if (network.start === "")
    throw usageError(
      `${by} trusts every address: ${text}. Then every client could say that it has any address.`,
      "Name the addresses of your proxies alone, such as `127.0.0.1/32`.",
    );
  return network;
}
