/** What a committed change is about, for whoever waits for it. Row numbers only, never content. */
export type Signal =
  | { readonly about: "head"; readonly boardRow: number }
  | {
      readonly about: "message";
      readonly boardRow: number;
      readonly rootPlace: number;
      /** Rows of the members that it reaches by name. Null for a message to all. */
      readonly reaches: readonly number[] | null;
      /** Whether it wakes nobody. */
      readonly quiet: boolean;
      /** Rows of the agents that it does not wake although it reaches them. */
      readonly damped: readonly number[];
    }
  /** An agent did something with a task or a file. */
  | { readonly about: "work"; readonly boardRow: number; readonly memberRow: number }
  | { readonly about: "position"; readonly boardRow: number; readonly memberRow: number }
  | { readonly about: "presence"; readonly boardRow: number; readonly memberRow: number }
  | { readonly about: "membership"; readonly boardRow: number; readonly personRow: number }
  /** Something may have changed what needs a person. */
  | { readonly about: "attention"; readonly personRow: number }
  /** The title, the policy or the lifecycle of a board changed. */
  | { readonly about: "board"; readonly boardRow: number }
  /** The delivery mode or the mid-turn policy of an agent changed. */
  | { readonly about: "delivery"; readonly memberRow: number }
  /** The mid-turn policy changed that holds for a person's agents without one of their own. */
  | { readonly about: "midturn"; readonly personRow: number }
  | { readonly about: "seat-ended"; readonly memberRow: number }
  | { readonly about: "token-replaced"; readonly memberRow: number }
  | { readonly about: "key-ended"; readonly keyRow: number }
  | { readonly about: "session-ended"; readonly sessionRow: number };
