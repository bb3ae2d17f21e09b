import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { boardOf, forgetBoards } from "./core/boards/board.ts";
import { openLink, placeNamed } from "./core/signing-in/link.ts";
import { followKeys } from "./core/screen/keys.ts";
import { refuseHastyClicks } from "./core/screen/second-clicks.ts";
import { followStream } from "./core/connection/live.ts";
import { followNotifications } from "./core/attention/notifications.ts";
import { keepOverview } from "./core/boards/overview.ts";
import { readInvitation } from "./core/signing-in/invitation.ts";
import { followBuilds, keepShell } from "./core/installed.ts";
import { followPreferences } from "./core/screen/preferences.ts";
import { rememberPlaces } from "./core/screen/recents.ts";
import { followLinks, place, takeFragment } from "./core/screen/router.ts";
import { ended, loadFirstSession, mayBeSignedIn, session } from "./core/connection/session.ts";
import { followSigns } from "./core/attention/signs.ts";
import { forgetTalks, talkOf } from "./core/talk/talk.ts";
import { keepWriting } from "./core/sending/writing.ts";
import { Page } from "./page.tsx";

let isAsked = false;
/** After so long the first view is there, and what is needed later can be fetched. */
const idleMs = 2_000;

// A secret leaves the address before anything else runs.
const fragment = takeFragment();
if (place.value.name === "join") readInvitation(fragment);

followLinks();
followKeys();
refuseHastyClicks();
followPreferences();
rememberPlaces();
render(<Page />, document.querySelector("#page")!);
keepShell();
followBuilds();
// What the first view shows is asked for at once, and none of it waits for another answer.
const signedIn = loadFirstSession();
if (mayBeSignedIn) askForFirstView();
await signedIn;
// What was asked for without a session was refused, and is asked for again with one.
if (!session.value) forgetFirstView();
await openNamed(new URLSearchParams(fragment));
// A link that is pasted into a tab of this page does not load it anew.
addEventListener("hashchange", () => void openNamed(new URLSearchParams(takeFragment())));

followSigns();
// Once somebody is signed in, the page follows what happens. After the end of a session it goes on with the next one.
let isKept = false;
effect(() => {
  if (!session.value || ended.value) return;
  untracked(() => {
    followStream();
    if (!isAsked) askForFirstView();
    if (isKept) return;
    isKept = true;
    keepWriting();
    followNotifications();
    // It is there when the connection is not.
    setTimeout(() => void import("./later/later.ts").catch(() => {}), idleMs);
  });
});

function askForFirstView(): void {
  isAsked = true;
  void keepOverview();
  if (place.value.name !== "board") return;
  void boardOf(place.value.board);
  if (["talk", "thread"].includes(place.value.part)) void talkOf(place.value.board);
}

function forgetFirstView(): void {
  forgetBoards();
  forgetTalks();
}

async function openNamed(words: URLSearchParams): Promise<void> {
  const code = words.get("code");
  if (code) await openLink(code, placeNamed(words));
}
