/** What the daemon knows of a harness: facts as data, and the acts that differ between harnesses. */
export interface Harness {
  readonly name: string;
  /** The most bytes of a bundle that wakes a session. */
  readonly wakeBytes: number;
  /** The most bytes of a text that a hook adds to a turn. */
  readonly contextBytes: number;
  /** How many bundles in a row the end of a turn may add before the harness ends the turn itself. */
  readonly turnEndBundles: number;
  /** After so many milliseconds without a hook a session counts as idle: some turns end without any. */
  readonly silentTurnMs: number;
  /** Asks an idle session to fetch its bundle by `wait`. A ring may get lost. */
  ring(session: string): void;
}
