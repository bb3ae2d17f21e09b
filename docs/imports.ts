/**
 * `bun docs/imports.ts` measures how the files of src import one another: the four numbers of `docs/architecture.md`, and
 * where they come from. With `--write` it brings the page's numbers up to date. The test of imports reads the same graph.
 */
import { Glob } from "bun";
import { dirname, join, relative, resolve } from "node:path";
import { floors } from "./floors.ts";

const root = resolve(import.meta.dir, "..");

/** One import of a file. */
export interface Import {
  /** As it is written: a relative path or a package. */
  readonly specifier: string;
  /** Whether nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
  /** Whether it is loaded where it is called, and not before the file runs. */
  readonly lazy: boolean;
}

/** Arrows from everything to what it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** What a text imports, in all forms that the language has. */
export function importsIn(text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)(?<type> type)? (?:[\w*{][^;"=()]*\sfrom )?"(?<to>[^"]+)"/gm,
  );
  const calls = text.matchAll(/\bimport\("(?<to>[^"]+)"\)/g);
  return [
    ...[...statements].map(({ groups }) => {
      return { specifier: groups?.to ?? "", typeOnly: groups?.type !== undefined, lazy: false };
    }),
    ...[...calls].map(({ groups }) => {
      return { specifier: groups?.to ?? "", typeOnly: false, lazy: true };
    }),
  ];
}

/**
 * The files of src by path, each with the files that it imports when it is loaded. `types` adds imports of types alone,
 * `lazy` those that wait for a call.
 */
export async function filesGraph({ types = false, lazy = false } = {}): Promise<Graph> {
  const paths = [...new Glob("src/**/*.{ts,tsx}").scanSync(root)].sort();
  const graph = paths.map(async (path) => {
    const arrows = importsIn(await Bun.file(join(root, path)).text())
      .filter(({ specifier }) => specifier.startsWith("."))
      .filter((each) => (types || !each.typeOnly) && (lazy || !each.lazy))
      .map(({ specifier }) => relative(root, resolve(root, dirname(path), specifier)))
      .filter((to) => paths.includes(to));
    return [path, new Set(arrows)] as const;
  });
  return new Map(await Promise.all(graph));
}

/** The strongly connected components of a graph, what is imported before what imports it. */
export function components(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const lower = (node: string, to: number) => lowest.set(node, Math.min(lowest.get(node)!, to));
  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    for (const to of graph.get(node) ?? []) {
      if (!order.has(to)) {
        visit(to);
        lower(node, lowest.get(to)!);
      } else if (open.includes(to)) lower(node, order.get(to)!);
    }
    if (lowest.get(node) === order.get(node)) found.push(open.splice(open.indexOf(node)));
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** Files that import one another in a circle, each circle in the order of its names. */
export const circlesOf = (graph: Graph): string[][] =>
  components(graph)
    .filter(({ length }) => length > 1)
    .map((circle) => circle.sort());

/** All that a file loads when it runs: itself, what it imports, and so on. */
export function reachedFrom(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set([start]);
  for (const each of reached) for (const to of graph.get(each) ?? []) reached.add(to);
  return reached;
}

/** The room of a file: its folder, or the file itself where a floor names it. */
export const roomOf = (path: string): string => (floors.includes(path) ? path : dirname(path));

/** The rooms of a graph of files, each with the other rooms that its files import, and how often. */
export function roomsGraph(files: Graph): Map<string, Map<string, number>> {
  const rooms = new Map<string, Map<string, number>>();
  for (const [path, imported] of files) {
    const room = roomOf(path);
    const arrows = rooms.get(room) ?? new Map<string, number>();
    for (const to of [...imported].map(roomOf))
      if (to !== room) arrows.set(to, (arrows.get(to) ?? 0) + 1);
    rooms.set(room, arrows);
  }
  return rooms;
}

/** How high a room lies: the place of its floor. A folder that is not named lies where the folder around it does. */
function heightOf(room: string): number {
  if (room === ".") throw new Error("a room outside of src");
  const at = floors.indexOf(room);
  return at >= 0 ? at : heightOf(dirname(room));
}

/** The arrows from a room to one that lies higher, with how many imports each stands for. */
export const upwardArrows = (rooms: ReturnType<typeof roomsGraph>) =>
  [...rooms].flatMap(([from, arrows]) =>
    [...arrows]
      .filter(([to]) => heightOf(to) > heightOf(from))
      .map(([to, imports]) => ({ from, to, imports })),
  );

/** How many rooms lie on one another: the longest chain of components, each of which imports the next. */
export function longestChain(rooms: ReturnType<typeof roomsGraph>): number {
  const graph = new Map([...rooms].map(([room, arrows]) => [room, new Set(arrows.keys())]));
  const height = new Map<string, number>();
  for (const component of components(graph)) {
    const below = component.flatMap((room) => [...graph.get(room)!]);
    const highest = Math.max(0, ...below.map((room) => height.get(room) ?? 0));
    for (const room of component) height.set(room, highest + 1);
  }
  return Math.max(0, ...height.values());
}

/** The folder of src with the most files directly in it. */
function largestRoom(files: Graph): readonly [string, number] {
  const rooms = Object.entries(Object.groupBy(files.keys(), (path) => dirname(path)));
  const sizes = rooms.map(([room, inside = []]) => [room, inside.length] as const);
  return sizes.sort(([, a], [, b]) => b - a)[0]!;
}

/** What the page says now, by the first cell of its row. */
export async function measured(): Promise<Record<string, string>> {
  const files = await filesGraph({ types: true });
  const rooms = roomsGraph(files);
  const circles = circlesOf(files).length;
  const running = circlesOf(await filesGraph()).length;
  const [room, size] = largestRoom(files);
  return {
    Floors: `${longestChain(rooms)}`,
    "Upward arrows": `${upwardArrows(rooms).length}`,
    "Circles of files": circles === 0 ? "none" : `${circles}, of which ${running} at run time`,
    "Largest folder": `${size} files, \`${room}\``,
  };
}

const pageFile = join(root, "docs/architecture.md");

/** The row of a number on the page: what it was before, and what it is now. */
const rowOf = (name: string) =>
  new RegExp(String.raw`^(\| ${name} +\|[^|]+\| )([^|]+?)( *\|)$`, "m");

/** The numbers that the page gives as those of now. */
export async function writtenNumbers(): Promise<Record<string, string | undefined>> {
  const page = await Bun.file(pageFile).text();
  const names = Object.keys(await measured());
  return Object.fromEntries(names.map((name) => [name, rowOf(name).exec(page)?.[2]]));
}

async function writeNumbers(): Promise<void> {
  let page = await Bun.file(pageFile).text();
  for (const [name, value] of Object.entries(await measured()))
    page = page.replace(rowOf(name), (_, before, _now, after) => `${before}${value}${after}`);
  await Bun.write(pageFile, page);
  await Bun.$`${process.execPath} fmt --no-script ${pageFile}`.quiet();
}

if (import.meta.main) {
  const files = await filesGraph({ types: true });
  for (const [name, value] of Object.entries(await measured())) console.log(`${name}: ${value}`);
  for (const { from, to, imports } of upwardArrows(roomsGraph(files)))
    console.log(`  upward: ${from} → ${to}, ${imports} imports`);
  for (const circle of circlesOf(files)) console.log(`  circle: ${circle.join(" ")}`);
  if (process.argv.includes("--write")) await writeNumbers();
}
