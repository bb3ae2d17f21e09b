/**
 * `bun docs/imports.ts` measures how the files of src import one another: the four numbers of `docs/architecture.md`, and
 * where they come from. The test of imports reads the same graph.
 */
import { Glob } from "bun";
import { dirname, join, relative, resolve } from "node:path";

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

/** The files of src by path, each with the files that it imports. What is loaded later is no arrow. */
export async function filesGraph({ types }: { types: boolean }): Promise<Graph> {
  const paths = [...new Glob("src/**/*.{ts,tsx}").scanSync(root)].sort();
  const graph = paths.map(async (path) => {
    const arrows = importsIn(await Bun.file(join(root, path)).text())
      .filter(({ specifier, typeOnly, lazy }) => {
        return specifier.startsWith(".") && !lazy && (types || !typeOnly);
      })
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

/** The folders of a graph of files, each with the other folders that its files import and how often. */
export function foldersGraph(files: Graph): Map<string, Map<string, number>> {
  const folders = new Map<string, Map<string, number>>();
  for (const [path, imported] of files) {
    const arrows = folders.get(dirname(path)) ?? new Map<string, number>();
    for (const to of [...imported].map((each) => dirname(each)))
      if (to !== dirname(path)) arrows.set(to, (arrows.get(to) ?? 0) + 1);
    folders.set(dirname(path), arrows);
  }
  return folders;
}

/** How many floors the folders have: the longest chain of components, each of which imports the next. */
export function floorsOf(folders: ReturnType<typeof foldersGraph>): number {
  const graph = new Map([...folders].map(([folder, arrows]) => [folder, new Set(arrows.keys())]));
  const floor = new Map<string, number>();
  for (const component of components(graph)) {
    const below = component.flatMap((node) => [...graph.get(node)!]);
    const highest = Math.max(0, ...below.map((node) => floor.get(node) ?? 0));
    for (const node of component) floor.set(node, highest + 1);
  }
  return Math.max(0, ...floor.values());
}

/**
 * The arrows that point up, with how many imports each stands for. Parts of the house stand above one another in the
 * order that is given; one that is not named stands above all. Inside a part no order is declared: of two folders that
 * import each other the arrow of fewer imports points up.
 */
export function upwardArrows(
  folders: ReturnType<typeof foldersGraph>,
  parts: readonly string[],
): { from: string; to: string; imports: number }[] {
  const partOf = (folder: string) => {
    const names = parts.filter((part) => `${folder}/`.startsWith(`src/${part}/`));
    const longest = names.toSorted((a, b) => b.length - a.length)[0];
    return longest === undefined ? parts.length : parts.indexOf(longest);
  };
  const isUpward = (from: string, to: string, imports: number) => {
    if (partOf(from) !== partOf(to)) return partOf(from) < partOf(to);
    const back = folders.get(to)?.get(from) ?? 0;
    return back > imports || (back === imports && from < to);
  };
  return [...folders].flatMap(([from, arrows]) =>
    [...arrows]
      .filter(([to, imports]) => isUpward(from, to, imports))
      .map(([to, imports]) => ({ from, to, imports })),
  );
}

/** The parts of the house from the ground up: the table of imports in `docs/architecture.md` names them in this order. */
export async function partsInOrder(): Promise<string[]> {
  const page = await Bun.file(join(root, "docs/architecture.md")).text();
  const [, table = ""] = page.split(/^\| Folder .*\n.*\n/m);
  const [rows = ""] = table.split("\n\n");
  return [...rows.matchAll(/^\| ([\w/]+) /gm)].map(([, part]) => part!);
}

/** The folder of src with the most files directly in it. */
function largestRoom(files: Graph): readonly [string, number] {
  const rooms = Object.entries(Object.groupBy(files.keys(), (path) => dirname(path)));
  const sizes = rooms.map(([room, inside = []]) => [room, inside.length] as const);
  return sizes.sort(([, a], [, b]) => b - a)[0]!;
}

if (import.meta.main) {
  const files = await filesGraph({ types: true });
  const folders = foldersGraph(files);
  const upward = upwardArrows(folders, await partsInOrder());
  const circles = circlesOf(files);
  const running = circlesOf(await filesGraph({ types: false }));
  const [room, size] = largestRoom(files);
  console.log(`floors           ${floorsOf(folders)}`);
  console.log(`upward arrows    ${upward.length}`);
  for (const { from, to, imports } of upward) console.log(`  ${from} → ${to}  ${imports}`);
  console.log(
    `circles of files ${circles.length}, of which ${running.length} when the program runs`,
  );
  for (const circle of circles) console.log(`  ${circle.join(" ")}`);
  console.log(`largest room     ${size}, ${room}`);
}
