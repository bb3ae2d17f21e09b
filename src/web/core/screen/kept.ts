import { signal, type Signal } from "@preact/signals";

const prefix = "service-kept:";
const signals = new Map<string, Signal<string>>();

/**
 * A choice of how this browser shows the page. It stays after the page is closed, and all tabs agree about it. It never holds
 * what anybody wrote.
 */
export function kept(name: string, initial: string): Signal<string> {
  const known = signals.get(name);
  if (known) return known;
  const made = signal(localStorage.getItem(prefix + name) ?? initial);
  signals.set(name, made);
  made.subscribe((value) => {
    if (value === (localStorage.getItem(prefix + name) ?? initial)) return;
    localStorage.setItem(prefix + name, value);
  });
  return made;
}

// This event comes from other tabs alone.
addEventListener("storage", (event) => {
  if (!(event instanceof StorageEvent)) return;
  const { key, newValue } = event;
  if (!key?.startsWith(prefix) || newValue === null) return;
  const changed = signals.get(key.slice(prefix.length));
  if (changed) changed.value = newValue;
});
