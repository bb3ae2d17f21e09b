import { signal } from "@preact/signals";
import { session } from "../connection/session.ts";

/** The threads whose replies the reader has folded in timelines, by the ids of their first messages. */
export const folds = signal<ReadonlySet<string>>(new Set());

const storeName = () => `service-folds:${session.value?.person.id ?? ""}`;
/** So many threads are remembered. The one that was folded first is forgotten first. */
const mostFolds = 500;

function readFolds(): void {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storeName()) ?? "[]");
    folds.value = new Set(Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : []);
  } catch {
    folds.value = new Set();
  }
}

session.subscribe((now) => {
  if (now) readFolds();
});
// Another tab of this browser has folded something.
globalThis.addEventListener("storage", ({ key }: StorageEvent) => {
  if (key === storeName()) readFolds();
});

/** Folds the replies of a thread, or unfolds them. */
export function setFold(root: string, isFolded: boolean): void {
  const next = new Set(folds.value);
  next.delete(root);
  if (isFolded) next.add(root);
  folds.value = new Set([...next].slice(-mostFolds));
  localStorage.setItem(storeName(), JSON.stringify([...folds.value]));
}
