import { resolve } from "node:path";
import { assetsPath, manifestPath, pagePaths, workerPath } from "./paths.ts";

/** A file of the page, as a browser gets it. */
interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** The built page: its files by the path that serves them, and those that its document names. */
export interface BuiltPage {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly files: Readonly<Record<string, PageFile>>;
}

const types: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

const root = resolve(import.meta.dir, "..");
const hashOf = (text: string): string => Bun.hash(text).toString(36);
const fileAt = (path: string, text: string): PageFile => ({
  type: types[path.split(".").at(-1)!]!,
  text,
});

/** Builds the page from its sources. The executable is made with the result of this, and has no sources. */
export async function buildPage(): Promise<BuiltPage> {
  const { script, style, files } = await buildAssets();
  const picture = await Bun.file(`${import.meta.dir}/icon.svg`).text();
  const icon = `${assetsPath}icon-${hashOf(picture)}.svg`;
  const shown: Record<string, PageFile> = { ...files, [icon]: fileAt(icon, picture) };
  shown[manifestPath] = fileAt(manifestPath, manifest(icon));
  shown[workerPath] = fileAt(workerPath, await buildWorker(["/", ...Object.keys(shown)]));
  return { script, style, icon, files: shown };
}

/** Gives the Markdown parser short forms of two packages. The whole ones are a fifth of the first view. */
const shortForms: Bun.BunPlugin = {
  name: "short-forms",
  setup: (build) =>
    void build.onResolve({ filter: /^(entities|punycode\.js)$/ }, ({ path }) => ({
      path: resolve(import.meta.dir, `${path.replace(/\.js$/, "")}.ts`),
    })),
};

async function buildAssets(): Promise<Pick<BuiltPage, "script" | "style" | "files">> {
  const { outputs } = await Bun.build({
    entrypoints: [`${root}/main.tsx`, `${root}/style/page.css`],
    root,
    target: "browser",
    splitting: true,
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [shortForms],
  });
  const files: Record<string, PageFile> = {};
  const entries: Record<string, string> = {};
  for (const output of outputs) {
    const path = assetsPath + output.path.split("/").at(-1)!;
    files[path] = fileAt(path, await output.text());
    if (output.kind === "entry-point" || output.kind === "asset")
      entries[path.split(".").at(-1)!] = path;
  }
  return { script: entries["js"]!, style: entries["css"]!, files };
}

/** The service worker, which names what it keeps. */
async function buildWorker(shell: readonly string[]): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [`${root}/worker/service-worker.ts`],
    target: "browser",
    format: "iife",
    minify: true,
    define: {
      SHELL: JSON.stringify(shell),
      SHELL_NAME: JSON.stringify(`service-shell-${hashOf(shell.join())}`),
      PAGE_PATHS: JSON.stringify(pagePaths),
    },
  });
  return outputs[0]!.text();
}

/** What a browser needs to install the page. */
const manifest = (icon: string): string =>
  JSON.stringify({
    id: "/",
    name: "Team Board Service",
    short_name: "Boards",
    description: "Where people and their software agents work together.",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#fefffe",
    theme_color: "#f0f4f1",
    icons: [
      { src: icon, type: "image/svg+xml", sizes: "any", purpose: "any" },
      { src: icon, type: "image/svg+xml", sizes: "any", purpose: "maskable" },
    ],
  });
