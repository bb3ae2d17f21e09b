import { useEffect, useRef, useState } from "preact/hooks";
import { watchAsk } from "../../core/sending/asks.ts";
import { fileAddress } from "../../core/files/file-view.ts";
import { approvalsAskedFor, type ShownFile } from "../../core/files/files.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { givenTo, respond } from "../../core/attention/needs.ts";
import type { AttentionItem } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import { Icon } from "../../parts/icon.tsx";
import { InWords } from "../../parts/needs/need-acts.tsx";
import { Name, visible } from "../../parts/who.tsx";

/** The asks for an approval of this file that wait for the person. Keys answer the first of them. */
export function ApprovalBars({ file }: { file: ShownFile }) {
  const items = approvalsAskedFor(file.board, file.id);
  return (
    <>
      {items.map((item, at) => (
        <ApprovalBar key={item.id} file={file} item={item} isFirst={at === 0} />
      ))}
    </>
  );
}

const optionsOf = ({ actions }: AttentionItem): readonly string[] =>
  actions.find(({ name }) => name === "answerAsk")?.options ?? [];

function ApprovalBar({
  file,
  item,
  isFirst,
}: {
  file: ShownFile;
  item: AttentionItem;
  isFirst: boolean;
}) {
  const [inWords, setInWords] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const askId = item.ref.message_id;
  // As long as it is seen here, no dock shows the same ask.
  useEffect(() => (box.current && askId ? watchAsk(box.current, askId) : undefined), [askId]);
  const options = optionsOf(item);
  const given = givenTo(item);
  const asked = item.ref.files?.find(({ id }) => id === file.id)?.version ?? file.latest.version;
  const choose = (at: number) => () => {
    const option = options[at];
    if (!isFirst || given !== null || option === undefined) return false;
    respond(item, option, at + 1);
    return undefined;
  };
  useKeys({
    ...Object.fromEntries([0, 1, 2, 3].map((at) => [String(at + 1), choose(at)])),
    w: () => {
      if (!isFirst || given !== null) return false;
      setInWords(true);
      return undefined;
    },
  });
  const label = `${item.from?.name ?? "Somebody"} asks you to approve version ${asked}`;
  if (given !== null)
    return (
      <div class="approve" role="group" aria-label={label} ref={box}>
        <Icon name="check" />
        <span>
          You answered <b>{visible(given)}</b>.
        </span>
      </div>
    );
  return (
    <div class="approve" role="group" aria-label={label} ref={box}>
      <Icon name="stop" />
      <span>
        {item.from && <Name of={item.from} />} asks you to approve <b>version {asked}</b>
        {asked < file.latest.version && (
          <>
            . A newer one is there: <b>version {file.latest.version}</b>
          </>
        )}
        . <Before file={file} asked={asked} />
        {item.ref.seq !== undefined && (
          <a href={addressOf(file.board, "message", item.ref.seq)}>The ask</a>
        )}
      </span>
      <span class="end">
        <button
          class="b q"
          type="button"
          aria-expanded={inWords}
          onClick={() => setInWords(!inWords)}
        >
          <kbd>w</kbd>In words
        </button>
        {options
          .map((option, at) => (
            <button
              key={option}
              class={at === 0 ? "b p" : "b"}
              type="button"
              onClick={() => respond(item, option, at + 1)}
            >
              <kbd>{at + 1}</kbd>
              <bdi>{visible(option)}</bdi>
            </button>
          ))
          .toReversed()}
      </span>
      {inWords && <InWords item={item} label="Or in your own words" verb="Answer" />}
    </div>
  );
}

/** What the person approved before, with a way to what changed since. */
function Before({ file: { board, name, mine }, asked }: { file: ShownFile; asked: number }) {
  if (!mine) return null;
  if (mine.version >= asked) return <>You approved version {mine.version}. </>;
  return (
    <>
      You approved version {mine.version}.{" "}
      <a href={fileAddress(board, name, { view: "changes", from: mine.version, version: asked })}>
        What changed since
      </a>
      .{" "}
    </>
  );
}
