/**
 * Keeps the shell of the page for when the server cannot be reached: its document, scripts and styles. Nothing that the
 * server says of boards and people passes through here.
 */

/** The files of this build, as the build knows them. */
declare const SHELL: readonly string[];
/** The name under which they are kept. It differs for each build. */
declare const SHELL_NAME: string;
/** The paths of the page. One that ends with a star stands for all below it. */
declare const PAGE_PATHS: readonly string[];

/** What this file uses of a service worker's surroundings, which the types of a page do not have. */
interface Worker {
  addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}
interface Lasting {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const worker = self as unknown as Worker;

worker.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL_NAME);
  await cache.addAll(SHELL.filter((path) => path !== "/"));
  const shell = await fetch("/");
  if (!shell.ok) throw new TypeError("The page is not there.");
  // Whoever starts offline is to be asked who they are once the server is back, whatever held when this was kept.
  const text = (await shell.text()).replace(
    'name="session" content="none"',
    'name="session" content="kept"',
  );
  await cache.put("/", new Response(text, { headers: shell.headers }));
}

worker.addEventListener("activate", (event) => {
  const dropOthers = async () => {
    const names = (await caches.keys()).filter((name) => name !== SHELL_NAME);
    await Promise.all(names.map((name) => caches.delete(name)));
  };
  event.waitUntil(dropOthers());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && isOfPage(pathname)) event.respondWith(documentOf(request));
  else if (SHELL.includes(pathname) && pathname !== "/") event.respondWith(fileOf(request));
});

const isOfPage = (path: string): boolean =>
  PAGE_PATHS.some((each) =>
    each.endsWith("*") ? path.startsWith(each.slice(0, -1)) : path === each,
  );

/** The page as the server has it now, else as it was kept. */
const documentOf = (request: Request): Promise<Response> =>
  fetch(request).catch(async () => (await caches.match("/")) ?? Response.error());

const fileOf = async (request: Request): Promise<Response> =>
  (await caches.match(request)) ?? fetch(request);
