import { effect, untracked } from "@preact/signals";
import { readsStream } from "../connection/live.ts";
import { attention, type AttentionItem } from "../boards/overview.ts";
import { prefer, preferences } from "../screen/preferences.ts";
import { addressOf, go } from "../screen/router.ts";

/** A lock that each tab holds together with the others, as long as somebody sees it. */
const viewLock = "service-in-view";

let leaveView: (() => void) | null = null;

function followView(): void {
  const isSeen = document.visibilityState === "visible";
  if (!isSeen) {
    leaveView?.();
    leaveView = null;
  } else
    leaveView ??= (() => {
      const { promise, resolve } = Promise.withResolvers<void>();
      void navigator.locks.request(viewLock, { mode: "shared" }, () => promise);
      return resolve;
    })();
}

const isAnyTabSeen = async (): Promise<boolean> =>
  (await navigator.locks.query()).held?.some(({ name }) => name === viewLock) ?? false;

/** What the person wants to be notified of. Requests of machines are never among it, since anybody can make them. */
function isWanted({ kind, urgency }: AttentionItem): boolean {
  const { notifyAsks, notifyReplies } = preferences.peek();
  if (kind === "approval_ask" || (kind === "ask" && urgency === "now")) return notifyAsks;
  return notifyReplies && (kind === "reply_wanted" || kind === "ask");
}

const shown = new Map<string, Notification>();
/** What the list held before. Null until it was read once: what is there when the page opens is no news. */
let known: ReadonlySet<string> | null = null;

/**
 * Notifies of what newly needs the person, while no tab is seen. Only the tab that reads the stream does it, and only if the
 * person switched it on. A notification goes when its item is answered anywhere.
 */
export function followNotifications(): void {
  followView();
  document.addEventListener("visibilitychange", followView);
  effect(() => {
    const items = attention.value?.items;
    if (items) untracked(() => void take(items));
  });
}

async function take(items: readonly AttentionItem[]): Promise<void> {
  const before = known;
  known = new Set(items.map(({ id }) => id));
  for (const [id, one] of shown)
    if (!known.has(id)) {
      one.close();
      shown.delete(id);
    }
  if (!before || !readsStream() || !("Notification" in window)) return;
  if (Notification.permission !== "granted") return;
  const news = items.filter((item) => !before.has(item.id) && isWanted(item));
  if (news.length === 0 || (await isAnyTabSeen())) return;
  for (const item of news) notify(item);
}

/** Whether this browser could notify of asks, and nobody has said yet that it shall. */
export const mayOfferToNotify = (): boolean =>
  !preferences.value.notifyAsks && "Notification" in window && Notification.permission !== "denied";

/** Lets this browser notify of asks from now on, if its person lets the page. */
export async function letNotify(): Promise<void> {
  if ((await Notification.requestPermission()) === "granted") prefer({ notifyAsks: true });
}

const longestText = 200;

function notify({ id, title, text, board, ref }: AttentionItem): void {
  const address = !board ? "/" : addressOf(board, ref.seq ? "message" : "talk", ref.seq ?? "");
  try {
    const one = new Notification(title, {
      body: text.slice(0, longestText),
      tag: id,
      silent: true,
    });
    shown.set(id, one);
    one.addEventListener("click", () => {
      window.focus();
      one.close();
      go(address);
    });
  } catch {
    // Some phones notify from a service worker alone. The list and the icon say it there.
  }
}
