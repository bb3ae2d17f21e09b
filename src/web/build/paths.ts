/** The paths of the board view, each answered with the same document. */
export const pagePaths = ["/", "/b/*", "/account", "/sign-in", "/join"] as const;

/** Where the files of the page are. Their names hold a hash of their content, so they never change. */
export const assetsPath = "/assets/";

/** What a browser reads to install the page. */
export const manifestPath = "/manifest.webmanifest";

/** The service worker. Its scope is the folder that it is in, so it stands at the top. */
export const workerPath = "/service-worker.js";
