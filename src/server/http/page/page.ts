import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuiltPage } from "../../../web/build/build-page.ts";
import { assetsPath, manifestPath } from "../../../web/build/paths.ts";

/** The page that the executable was built with. Undefined in a program that runs from its sources. */
declare const SERVICE_PAGE: BuiltPage | undefined;

let built: Promise<BuiltPage> | undefined;

/** The board view as it was built, or built once from its sources. */
const builtPage = (): Promise<BuiltPage> =>
  (built ??=
    typeof SERVICE_PAGE === "undefined"
      ? import("../../../web/build/build-page.ts").then(({ buildPage }) => buildPage())
      : Promise.resolve(SERVICE_PAGE));

/** What the browser may do on the page: its own files, its own server, and no text as markup or script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types own-scripts",
].join("; ");

const safe = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/**
 * The document of every place of the page. It holds nothing of anybody's, but for whether this browser has a session's
 * cookie: without one the page need not ask who is signed in.
 */
export async function pageDocument(hasSession: boolean): Promise<Response> {
  const { script, style, icon } = await builtPage();
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="session" content="${hasSession ? "kept" : "none"}">
<title>Team Board Service</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="manifest" href="${manifestPath}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript><div class="door"><main><h1>Team Board Service</h1><p>This page needs JavaScript. Everything it does can be done <a href="/start">in a terminal</a> too, also <a href="/start/invitation">what an invitation is for</a>. The interface is described in <a href="/docs">the reference</a>.</p></main></div></noscript>
</body>
</html>
`;
  return new Response(text, {
    headers: {
      ...safe,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
      vary: "cookie",
    },
  });
}

const packings = {
  br: (text: string) =>
    brotli(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text) } }),
  gzip: (text: string) => gzipped(text, { level: constants.Z_BEST_COMPRESSION }),
} as const;
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** The compressed files, each made when it is first asked for. */
const packed = new Map<string, Promise<Uint8Array>>();

function packedFile(path: string, text: string, how: keyof typeof packings): Promise<Uint8Array> {
  const name = `${how} ${path}`;
  const made = packed.get(name) ?? packings[how](text);
  packed.set(name, made);
  return made;
}

/** The best packing that a client takes, or null. */
function packingFor(accepted: string): keyof typeof packings | null {
  const taken = accepted
    .split(",")
    .map((each) => each.trim().split(/\s*;\s*/))
    .filter(([, weight = ""]) => !/^q=0(\.0*)?$/.test(weight))
    .map(([name]) => name);
  return taken.includes("br") ? "br" : taken.includes("gzip") ? "gzip" : null;
}

/** A file of the page, or null. */
export async function pageFile({ url, headers }: Request): Promise<Response | null> {
  const { pathname } = new URL(url);
  const { files } = await builtPage();
  const file = Object.hasOwn(files, pathname) ? files[pathname]! : null;
  if (!file) return null;
  const how = packingFor(headers.get("accept-encoding") ?? "");
  const body = how === null ? file.text : await packedFile(pathname, file.text, how);
  return new Response(body as BodyInit, {
    headers: {
      ...safe,
      "content-type": file.type,
      ...(how !== null && { "content-encoding": how }),
      vary: "accept-encoding",
      // The name of an asset holds a hash of its content.
      "cache-control": pathname.startsWith(assetsPath)
        ? "public, max-age=31536000, immutable"
        : "no-cache",
    },
  });
}
