import type { Draw } from "../hostile/draw.ts";
import { modelledDisk, type FolderNode } from "./modelled-disk.ts";
import type { Promised, Recording } from "./recorder.ts";

/** The moment of a power cut. */
export interface Cut {
  readonly disk: FolderNode;
  /** What had been promised. */
  readonly promises: readonly Promised[];
  /** The last call before it. */
  readonly after: string;
}

/** Replays a recording on a disk, and stops after the steps with these numbers. `keeps` says which syncs the disk honours. */
export async function replay(
  { root, calls, promises }: Recording,
  stops: ReadonlySet<number>,
  stop: (cut: Cut) => Promise<void>,
  keeps?: (path: string) => boolean,
): Promise<void> {
  const { top, steps } = modelledDisk(root, calls, keeps);
  for (const [number, step] of steps.entries()) {
    step.happen();
    if (!stops.has(number)) continue;
    // As late as can be: what is promised before the next step counts.
    const next = steps[number + 1]?.place ?? Infinity;
    const given = promises.filter(({ place }) => place < next).map(({ promise }) => promise);
    await stop({ disk: top, promises: given, after: step.what });
  }
}

/**
 * Numbers of some steps: half of them about names and syncs, and the others any. All of them if there are not more. `among`
 * says which calls and paths count.
 */
export function drawnStops(
  { root, calls }: Recording,
  count: number,
  draw: Draw,
  among: (what: string) => boolean = () => true,
): Set<number> {
  const { steps } = modelledDisk(root, calls);
  const all = [...steps.keys()].filter((number) => among(steps[number]!.what));
  const turning = all.filter((number) => steps[number]!.turns);
  const stops = new Set<number>();
  for (const list of [turning, all])
    for (
      const left = [...list];
      left.length > 0 && stops.size < (list === all ? count : count / 2);
    )
      stops.add(left.splice(draw.int(left.length), 1)[0]!);
  return stops;
}

/** Numbers of the steps after which something of a kind had just been promised. */
export function stopsAtPromises(
  { root, calls, promises }: Recording,
  kind: Promised["what"],
): Set<number> {
  const { steps } = modelledDisk(root, calls);
  const places = promises.filter(({ promise }) => promise.what === kind).map(({ place }) => place);
  return new Set(places.map((given) => steps.findLastIndex(({ place }) => place < given)));
}
