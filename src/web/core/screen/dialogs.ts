import { signal } from "@preact/signals";

/** A dialog that can be opened from several places of the page. */
type DialogName = "new-board" | "keys";

/** The dialog that is open, or null. */
export const dialog = signal<DialogName | null>(null);
