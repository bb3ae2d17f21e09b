import { effect, signal } from "@preact/signals";
import { letKeysOfOneLetter } from "./keys.ts";

/** How a person wants the page of this browser. */
export interface Preferences {
  /** Null follows the system. */
  readonly theme: "light" | "dark" | null;
  /** Whether Enter sends a message. Else Shift and Enter do. */
  readonly enterSends: boolean;
  /** Whether keys of one letter do something. */
  readonly letters: boolean;
  /** What this computer notifies of: agents that stand still, and people who ask for a reply. */
  readonly notifyAsks: boolean;
  readonly notifyReplies: boolean;
}

const first: Preferences = {
  theme: null,
  enterSends: true,
  letters: true,
  notifyAsks: false,
  notifyReplies: false,
};
const storeName = "service-preferences";

function kept(): Preferences {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storeName) ?? "{}");
    return { ...first, ...(typeof read === "object" && read) };
  } catch {
    return first;
  }
}

/** The preferences of this browser, the same in all of its tabs. */
export const preferences = signal<Preferences>(kept());

/** Changes some of them. */
export function prefer(change: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...change };
  localStorage.setItem(storeName, JSON.stringify(preferences.value));
}

/** Makes the page follow its preferences, those too that another tab changes. */
export function followPreferences(): void {
  addEventListener("storage", ({ key }: StorageEvent) => {
    if (key === storeName) preferences.value = kept();
  });
  effect(() => {
    const { theme, letters } = preferences.value;
    if (theme) document.documentElement.dataset["theme"] = theme;
    else delete document.documentElement.dataset["theme"];
    letKeysOfOneLetter(letters);
  });
}
