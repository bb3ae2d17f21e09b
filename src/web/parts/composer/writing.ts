import type { Toggle } from "../../core/sending/completion.ts";
import type { Draft } from "../../core/sending/drafts.ts";
import type { Place } from "../../core/sending/writing.ts";

/** What the parts of a composer know and do. */
export interface Writing {
  readonly place: Place;
  readonly draft: Draft;
  /** Those whom a reply goes to by itself. Undefined on a board, where that is everyone. */
  readonly people: readonly string[] | undefined;
  /** What this person can switch on here. */
  readonly toggles: readonly Toggle[];
  readonly isPreview: boolean;
  change(change: Partial<Draft>): void;
  toggle(toggle: Toggle): void;
  submit(): void;
}
