import { workerPath } from "../build/paths.ts";
import { connection } from "./connection/live.ts";
import { unsent } from "./sending/outbox.ts";
import { toast } from "./screen/toasts.ts";

/** The policy of the page lets scripts come from here alone: one address that never changes. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

function scriptUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies };
  const createScriptURL = (url: string) => {
    if (url !== workerPath) throw new TypeError("This page loads no such script.");
    return url;
  };
  return (
    trustedTypes?.createPolicy("own-scripts", { createScriptURL }).createScriptURL(workerPath) ??
    workerPath
  );
}

/** Keeps the shell of the page in this browser, where the browser can do that. Without it all works but a start offline. */
export function keepShell(): void {
  if (!("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register(scriptUrl()).catch(() => {});
}

const oftenMs = 3_600_000;
let isOutdated = false;

/** Loads the page anew while nobody looks at it and nothing waits to be sent. */
function reloadUnseen(): void {
  if (isOutdated && document.hidden && unsent.value.length === 0) location.reload();
}

/** Looks whether the server has another build of the page. */
async function look(): Promise<void> {
  if (isOutdated) return;
  const own = document.querySelector<HTMLScriptElement>("script[type=module]")?.getAttribute("src");
  const answer = await fetch("/", { headers: { accept: "text/html" } });
  if (!own || !answer.ok || (await answer.text()).includes(own)) return;
  isOutdated = true;
  reloadUnseen();
  toast({
    text: "The server has a newer version of this page.",
    action: { label: "Reload", run: () => location.reload() },
  });
}

/** Goes over to a new build of the page by itself while it is hidden, and offers it else. */
export function followBuilds(): void {
  // Without an answer it is looked at again the next time.
  const tryToLook = () => void look().catch(() => {});
  let wasLost = false;
  connection.subscribe(({ state }) => {
    if (state === "live" && wasLost) tryToLook();
    wasLost = state === "lost";
  });
  setInterval(tryToLook, oftenMs);
  addEventListener("online", tryToLook);
  document.addEventListener("visibilitychange", reloadUnseen);
}
