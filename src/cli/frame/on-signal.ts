import type { Cli } from "./cli.ts";

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs a function and cleans up after it, even when a signal ends the program first. */
export async function cleaningUp<T>(
  { system }: Pick<Cli, "system">,
  clean: () => void,
  run: () => Promise<T>,
): Promise<T> {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stops = names.map((signal) =>
    system.onSignal(signal, () => {
      clean();
      system.exit(signals[signal]);
    }),
  );
  try {
    return await run();
  } finally {
    clean();
    for (const off of stops) off();
  }
}
