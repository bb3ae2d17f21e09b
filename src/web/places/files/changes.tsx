import { useEffect, useMemo, useState } from "preact/hooks";
import type { Comparison } from "../../core/files/compare.ts";
import { downloadAddress, hasText } from "../../core/files/file-bytes.ts";
import type { FileVersion, ShownFile } from "../../core/files/files.ts";
import { Diff } from "../../parts/text/diff.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Failed } from "../../parts/problem.tsx";
import { useTexts } from "./text-of.ts";

type Compare = (typeof import("../../core/files/compare.ts"))["compared"];

/** What changed between two versions, with a choice of both. */
export function Changes({
  file,
  from,
  to,
  choose,
}: {
  file: ShownFile;
  from: number;
  to: number;
  choose: (from: number, to: number) => void;
}) {
  const versionOf = (number: number) => file.versions.find(({ version }) => version === number);
  const [before, after] = [versionOf(from), versionOf(to)];
  if (file.versions.length === 1)
    return <p class="empty">There is one version, so there is nothing to compare it with.</p>;
  const bar = (counts: Comparison | null) => (
    <div class="file-bar sub2">
      <span class="inl cmp">
        <label for="va">From</label>
        <Versions id="va" file={file} chosen={from} onChoose={(one) => choose(one, to)} />
        <label for="vb">to</label>
        <Versions id="vb" file={file} chosen={to} onChoose={(one) => choose(from, one)} />
      </span>
      {counts && (
        <>
          <span class="plus">+{counts.added}</span>
          <span class="minus">−{counts.removed}</span>
        </>
      )}
      <span class="end hint hide-s">
        <kbd>[</kbd> <kbd>]</kbd> other versions
      </span>
    </div>
  );
  if (!before || !after)
    return (
      <>
        {bar(null)}
        <p class="empty">One of these versions is not there. Choose two others.</p>
      </>
    );
  const canRead = hasText(file.name, before) && hasText(file.name, after);
  return (
    <Compared key={`${from} ${to}`} file={file} before={before} after={after} canRead={canRead}>
      {bar}
    </Compared>
  );
}

function Versions({
  id,
  file,
  chosen,
  onChoose,
}: {
  id: string;
  file: ShownFile;
  chosen: number;
  onChoose: (version: number) => void;
}) {
  return (
    <select
      class="f"
      id={id}
      value={chosen}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    >
      {!file.versions.some(({ version }) => version === chosen) && (
        <option value={chosen}>version {chosen}, missing</option>
      )}
      {file.versions.map(({ version }) => (
        <option key={version} value={version}>
          version {version}
          {version === file.mine?.version
            ? ", approved"
            : version === file.latest.version
              ? ", newest"
              : ""}
        </option>
      ))}
    </select>
  );
}

function Compared({
  file,
  before,
  after,
  canRead,
  children: bar,
}: {
  file: ShownFile;
  before: FileVersion;
  after: FileVersion;
  canRead: boolean;
  children: (counts: Comparison | null) => preact.ComponentChildren;
}) {
  const [compare, setCompare] = useState<{ readonly it: Compare } | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const load = () => {
    setProblem(null);
    import("../../core/files/compare.ts").then(
      ({ compared }) => setCompare({ it: compared }),
      setProblem,
    );
  };
  useEffect(load, []);
  const [older, newer] = useTexts(file, canRead ? [before, after] : []);
  const areRead = older?.state === "ready" && newer?.state === "ready";
  const old = older?.state === "ready" ? older.text : null;
  const fresh = newer?.state === "ready" ? newer.text : null;
  const comparison = useMemo(
    () => (compare && old !== null && fresh !== null ? compare.it(old, fresh) : null),
    [compare, old, fresh],
  );
  const label = `Changes from version ${before.version} to version ${after.version}`;
  const failed = [older, newer].find((one) => one?.state === "failed");
  const content = () => {
    if (problem !== null)
      return <Failed what="What compares could not be loaded." error={problem} again={load} />;
    if (failed?.state === "failed")
      return (
        <Failed
          what="A version could not be read."
          error={failed.error}
          again={() => failed.again()}
        />
      );
    if (!canRead || (areRead && (old === null || fresh === null)))
      return <Unread file={file} before={before} after={after} why="They are not texts." />;
    if (!areRead || !compare) return <Bones what="the changes" />;
    if (!comparison)
      return (
        <Unread
          file={file}
          before={before}
          after={after}
          why="More than 2,000 lines changed, which is more than is shown here."
        />
      );
    if (comparison.added + comparison.removed === 0 && !comparison.note)
      return <p class="empty">Both versions have the same text.</p>;
    return <Diff comparison={comparison} label={label} />;
  };
  return (
    <>
      {bar(comparison)}
      {content()}
    </>
  );
}

/** Versions that are not compared here. */
const Unread = ({
  file,
  before,
  after,
  why,
}: {
  file: ShownFile;
  before: FileVersion;
  after: FileVersion;
  why: string;
}) => (
  <div class="empty">
    <p>{why} Save both and compare them with a program of your own.</p>
    <p class="act">
      {[before, after].map((version) => (
        <a key={version.version} class="b" href={downloadAddress(file, version)} download>
          Save version {version.version}
        </a>
      ))}
    </p>
  </div>
);
