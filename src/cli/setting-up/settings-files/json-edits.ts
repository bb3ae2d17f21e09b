import { jsonTree, nodeAt, type JsonNode, type JsonWay } from "./json-tree.ts";

/** One change of a text: at an offset, these characters were taken away and so many put in their place. */
export interface Edit {
  readonly at: number;
  readonly removed: string;
  readonly inserted: number;
}

/** A JSON text that is changed in places, so that all else stays as it is, byte for byte. */
export interface Draft {
  text: string;
  /** What was changed, in this order. `undone` takes it back. */
  readonly edits: Edit[];
}

/** A draft of a text. */
export const draftOf = (text: string): Draft => ({ text, edits: [] });

/** The text before a draft's edits. */
export const undone = (text: string, edits: readonly Edit[]): string =>
  edits.reduceRight(
    (now, { at, removed, inserted }) => now.slice(0, at) + removed + now.slice(at + inserted),
    text,
  );

function splice(draft: Draft, start: number, end: number, inserted: string): void {
  draft.edits.push({
    at: start,
    removed: draft.text.slice(start, end),
    inserted: inserted.length,
  });
  draft.text = draft.text.slice(0, start) + inserted + draft.text.slice(end);
}

/** Adds a member with this key, or an element without one, at the end of the object or array at `way`. */
export function append(draft: Draft, way: JsonWay, key: string | null, value: unknown): void {
  const { text } = draft;
  const container = nodeAt(jsonTree(text), way)!;
  const layout = layoutOf(text, container, way.length);
  const render = (style: Pick<Layout, "child" | "isLong">): string =>
    (key === null ? "" : `${JSON.stringify(key)}:${style.isLong ? " " : ""}`) +
    rendered(value, layout, style);
  const last = container.parts.at(-1);
  if (last) {
    const gap = layout.isLong ? layout.newline + layout.child : layout.isTight ? "" : " ";
    return splice(draft, last.node.end, last.node.end, `,${gap}${render(layout)}`);
  }
  const isLong = !layout.isTight;
  const inside = render({ ...layout, isLong });
  const { newline, child, own } = layout;
  const body = isLong ? `${newline}${child}${inside}${newline}${own}` : inside;
  splice(draft, container.start + 1, container.end - 1, body);
}

/** Puts a whole text in the place of another. */
export function rewrite(draft: Draft, text: string): void {
  splice(draft, 0, draft.text.length, text);
}

/** Puts another value in the place of the one at `way`. */
export function replace(draft: Draft, way: JsonWay, value: unknown): void {
  const { text } = draft;
  const node = nodeAt(jsonTree(text), way)!;
  const layout = layoutOf(text, node, way.length);
  const child = layout.own;
  const isLong = text.slice(node.start, node.end).includes("\n");
  splice(draft, node.start, node.end, rendered(value, layout, { child, isLong }));
}

/** Takes away a member or an element of the object or array at `way`, with the comma that it leaves. */
export function remove(draft: Draft, way: JsonWay, index: number): void {
  const { parts, start, end } = nodeAt(jsonTree(draft.text), way)!;
  const [before, own, after] = [parts[index - 1], parts[index]!, parts[index + 1]];
  if (before) splice(draft, before.node.end, own.node.end, "");
  else if (after) splice(draft, own.start, after.start, "");
  else splice(draft, start + 1, end - 1, "");
}

/** Takes away a member by its name, if it is there. */
export function removeMember(draft: Draft, way: JsonWay, key: string): void {
  const { parts } = nodeAt(jsonTree(draft.text), way)!;
  const index = parts.findLastIndex((part) => part.key === key);
  if (index !== -1) remove(draft, way, index);
}

interface Layout {
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  /** Everything is on one line, without a blank between. */
  readonly isTight: boolean;
  /** The indentation of the line on which the value begins, and that of its parts. */
  readonly own: string;
  readonly child: string;
  /** Whether the parts stand on lines of their own. */
  readonly isLong: boolean;
}

/** How the text around a value is laid out. */
function layoutOf(text: string, { start, parts }: JsonNode, depth: number): Layout {
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const first = parts[0];
  const line = first && lineBefore(text, first.start);
  const isLong =
    line !== undefined && /^[ \t]*$/.test(line) && line !== text.slice(0, first!.start);
  const isOneLine = !text.trim().includes("\n") && jsonTree(text).parts.length > 0;
  const own = isOneLine ? unit.repeat(depth) : /^[ \t]*/.exec(lineBefore(text, start))![0];
  return {
    newline: text.includes("\r\n") ? "\r\n" : "\n",
    unit,
    isTight: isOneLine,
    own,
    child: isLong ? line : own + unit,
    isLong,
  };
}

const lineBefore = (text: string, at: number): string =>
  text.slice(text.lastIndexOf("\n", at - 1) + 1, at);

function rendered(
  value: unknown,
  { newline, unit }: Layout,
  { child, isLong }: Pick<Layout, "child" | "isLong">,
): string {
  if (!isLong) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", newline + child);
}
