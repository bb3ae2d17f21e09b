/** Where the timeline is to stand. */
export type Goal =
  | { readonly at: "end" }
  | {
      readonly at: "seq";
      readonly seq: number;
      /** Where in the window the row's beginning is to be: a part of its height, in the middle, or so many pixels down. */
      readonly align: number | "middle" | { readonly px: number };
      readonly focus?: boolean;
    };

/** A row that is to stand somewhere. */
export type SeqGoal = Extract<Goal, { at: "seq" }>;
