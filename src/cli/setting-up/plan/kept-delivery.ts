import type { Cli } from "../../frame/cli.ts";
import { readManifest } from "../entries/manifest.ts";

/** What happens to the delivery mode that this machine keeps for servers that hold none. */
export interface KeptDelivery {
  readonly mode: string;
  readonly action: "update" | "unchanged";
}

export function keptDelivery(
  cli: Pick<Cli, "folders" | "learned">,
  mode: string | undefined,
): KeptDelivery | null {
  if (mode === undefined) return null;
  return { mode, action: readManifest(cli).delivery === mode ? "unchanged" : "update" };
}

/** What a kept mode does: a server of this version holds each agent's own, which wins. */
export const deliveryText = (kept: KeptDelivery | null): string[] =>
  kept === null
    ? []
    : [
        `Delivery mode ${kept.mode}: kept on this machine for servers that hold no modes. Servers of this version hold one for each agent: \`service delivery ${kept.mode} --as NAME\` sets it.`,
      ];
