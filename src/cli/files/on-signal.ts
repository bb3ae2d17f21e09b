const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs, and cleans up afterwards, also when a signal ends the program meanwhile. */
export async function cleaningUp<T>(clean: () => void, run: () => Promise<T>): Promise<T> {
  const stops = Object.entries(signals).map(([signal, code]) => {
    const stop = () => {
      clean();
      process.exit(code);
    };
    process.once(signal, stop);
    return () => process.off(signal, stop);
  });
  try {
    return await run();
  } finally {
    clean();
    for (const off of stops) off();
  }
}
