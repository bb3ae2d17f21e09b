import { signal } from "@preact/signals";

/** A short word about what just happened, at the bottom of the page. It is never the only place of an error. */
export interface Toast {
  readonly text: string;
  readonly isError?: boolean;
  /** What can still be done about it. */
  readonly action?: { readonly label: string; run(): void };
}

const showsMs = 8_000;

/** The toast that is shown. A new one takes the place of the one before. */
export const shownToast = signal<Toast | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a toast for 8 seconds. */
export function toast(one: Toast): void {
  shownToast.value = one;
  restartToast();
}

/** Lets the toast stay, while the reader is at it. */
export function holdToast(): void {
  clearTimeout(timer);
}

/** Gives the toast its whole time again. */
export function restartToast(): void {
  clearTimeout(timer);
  timer = setTimeout(dropToast, showsMs);
}

/** Takes the toast away. */
export function dropToast(): void {
  clearTimeout(timer);
  shownToast.value = null;
}
