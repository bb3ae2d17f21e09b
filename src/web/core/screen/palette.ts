import { signal } from "@preact/signals";

/** What the palette was opened for: everything, or the search of one board. */
interface PaletteWish {
  readonly board: string | null;
  readonly text: string;
}

/** The palette that is open, or null. */
export const palette = signal<PaletteWish | null>(null);

/** Opens the palette, for a board's search if one is named. */
export function openPalette(board: string | null = null, text = ""): void {
  palette.value = { board, text };
}

/** Closes the palette. */
export function closePalette(): void {
  palette.value = null;
}
