import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** A button that copies a text. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button class="b" type="button" onClick={() => void copy().catch(() => {})}>
      <Icon name={isCopied ? "check" : "copy"} small />
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}

/** A line to paste elsewhere, with a button that copies it. */
export const CopyLine = ({ line }: { line: string }) => (
  <div class="line">
    <span>{line}</span>
    <CopyButton text={line} />
  </div>
);
