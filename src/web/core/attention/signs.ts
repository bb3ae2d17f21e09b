import { effect } from "@preact/signals";
import { needCount } from "./needs.ts";
import { serverName } from "../boards/overview.ts";
import { place, type Place } from "../screen/router.ts";
import { session } from "../connection/session.ts";

/** What the title says of a place. */
function wordsOf(here: Place): string {
  if (here.name === "board") return here.board;
  if (here.name === "account") return "Your account";
  if (here.name === "join") return "Invitation";
  return session.value ? "Needs you" : "Sign in";
}

/** The icon of the page with a dot, for as long as something needs the person. It is the same picture as the plain one. */
const dotted = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#13201b"/>' +
    '<g stroke="#eef4f0" stroke-width="4" stroke-linecap="round" fill="none"><path d="M20 8v48M36 22h18M36 42h18"/>' +
    '<circle cx="20" cy="22" r="7.5" fill="#eef4f0" stroke="none"/>' +
    '<rect x="13.5" y="35.5" width="13" height="13" rx="3" fill="#13201b"/></g>' +
    '<circle cx="49" cy="15" r="13" fill="#ffc233" stroke="#13201b" stroke-width="3"/></svg>',
)}`;

/** Makes the title, the icon and the app's badge say how much needs the person. They do not count what is merely new. */
export function followSigns(): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const plain = link?.getAttribute("href") ?? "";
  effect(() => {
    const count = session.value ? needCount.value : 0;
    document.title = `${count > 0 ? `(${count}) ` : ""}${wordsOf(place.value)} · ${serverName}`;
    const href = count > 0 ? dotted : plain;
    if (link && link.getAttribute("href") !== href) link.setAttribute("href", href);
    showBadge(count);
  });
}

/** A browser where the page is not installed has no badge, or refuses to show one. */
function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
  shown.catch(() => {});
}
