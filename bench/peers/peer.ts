/** Another program that keeps what it is given, as it is compared with posts. */
export interface Peer {
  readonly name: string;
  /** What one request does, and what of it survives a power cut once it is answered. */
  readonly promise: string;
  /** What must be installed: the program, and its package of Debian. */
  readonly needs: readonly { readonly program: string; readonly package: string }[];
  /** Starts it with its files in a folder of its own. */
  start(folder: string): Promise<RunningPeer>;
}

/** A peer's process. */
export interface RunningPeer {
  /** Requests a second over so many connections, each sending the next when its answer is there. */
  rate(connections: number, seconds: number): Promise<number>;
  stop(): Promise<void>;
}

/** Tries again until it does not throw, for ten seconds at most. */
export async function whenReady<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 200; ; left--)
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await Bun.sleep(50);
    }
}

/** Waits until something listens on a port of the loopback address. */
export const listening = (port: number): Promise<void> =>
  whenReady(async () => {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.end();
  });

/** The text that a program printed. Throws with it if the program failed. */
export async function printed(
  command: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const path = process.env["PATH"] ?? "";
  const child = Bun.spawn(command, { env: { PATH: path, ...env }, stdout: "pipe", stderr: "pipe" });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0)
    throw new Error(`${command[0]} failed: ${(complaint || output).slice(0, 500)}`);
  return output;
}
