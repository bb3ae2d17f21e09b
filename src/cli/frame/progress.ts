import type { Progress } from "../../client/client.ts";
import type { Cli } from "./cli.ts";
import { oneLine } from "../terminal/clean.ts";
import { inSession } from "../../client/machine/harness.ts";
import { size } from "../terminal/size-text.ts";

/** A transfer that ends sooner shows no progress. */
const patienceMs = 400;
const redrawMs = 100;
const barWidth = 24;
const nameWidth = 28;

interface Watched {
  readonly onProgress?: Progress;
  /** Removes the display. */
  end(): void;
}

/** Whether a person looks at a terminal that can redraw a line. */
const isWatched = ({ env, json, stderr }: Cli): boolean =>
  !json && stderr.isTerminal() && env["TERM"] !== "dumb" && !env["ACCESSIBLE"] && !inSession(env);

/** Shows the progress of a transfer on stderr if a person watches and it takes more than 400 ms. */
export function watched(cli: Cli, verb: string, name: string, total: number): Watched {
  if (!isWatched(cli)) return { end() {} };
  const began = cli.clock.elapsed();
  let bytes = 0;
  let isDrawn = false;
  const timer = setInterval(() => {
    if (cli.clock.elapsed() - began < patienceMs) return;
    isDrawn = true;
    draw(cli, `${verb} ${shortened(oneLine(name))}  ${barOf(bytes, total)}`);
  }, redrawMs);
  return {
    onProgress: (count) => (bytes = count),
    end() {
      clearInterval(timer);
      if (isDrawn) draw(cli, "");
    },
  };
}

/** Draws a line. If the terminal has gone away or is full, the transfer goes on without it. */
function draw({ stderr }: Cli, line: string): void {
  try {
    stderr.writeNow(`\r\x1b[K${line}`);
  } catch {
    return;
  }
}

const shortened = (name: string): string =>
  name.length > nameWidth ? `…${name.slice(1 - nameWidth)}` : name;

function barOf(bytes: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(bytes / total, 1);
  const full = Math.floor(part * barWidth);
  const bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)}%  ${size(bytes)} of ${size(total)}`;
}
