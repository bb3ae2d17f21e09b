import MarkdownIt from "markdown-it";
import type { ComponentChildren } from "preact";
import { ColouredPiece, useColours } from "./coloured.tsx";
import { Icon } from "../icon.tsx";
import { linked, type Source } from "./references.tsx";
import { visible } from "../who.tsx";

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
/** How deep the parser goes. */
const deepestRead = 100;
markdown.set({ maxNesting: deepestRead });

type Token = ReturnType<typeof markdown.parse>[number];

/** How deep lists and quotes may lie in one another before the rest is shown as it was written. */
const deepest = 20;

/** Texts that were read lately, since rows come and go while a reader scrolls. */
const lately = new Map<string, readonly Token[]>();
const mostLately = 500;

function tokensOf(text: string): readonly Token[] {
  const known = lately.get(text);
  if (known) return known;
  const tokens = parsed(text);
  if (lately.size >= mostLately) lately.delete(lately.keys().next().value!);
  lately.set(text, tokens);
  return tokens;
}

/** What the elements of a text need to know: what its names mean, and whether it is a document with headings. */
interface Reading {
  readonly of: Source | undefined;
  readonly isDocument: boolean;
}

/**
 * A text that somebody wrote, as elements. Markdown is read into tokens, and each token becomes an element of a fixed set;
 * whatever else there is becomes its text. No markup is ever made from a string. With `of`, what the text names is a link.
 */
export function Written({
  text,
  of,
  isDocument = false,
}: {
  text: string;
  of?: Source;
  isDocument?: boolean;
}) {
  const children = blocksOf(tokensOf(text), 0, { of, isDocument });
  return isDocument ? (
    <article class="doc md">{children}</article>
  ) : (
    <div class="md">{children}</div>
  );
}

/** The parser leaves out what lies deeper than it goes. Lists and quotes of such a text are shown as they were written. */
function parsed(text: string): readonly Token[] {
  const tokens = markdown.parse(text, {});
  return tokens.some(({ level }) => level >= deepestRead - 1)
    ? markdown.parseInline(text, {})
    : tokens;
}

/** The elements of a line of tokens that may hold others. */
function blocksOf(tokens: readonly Token[], depth: number, reading: Reading): ComponentChildren[] {
  const children: ComponentChildren[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.nesting === 1) {
      const end = endOf(tokens, at);
      children.push(elementOf(token, tokens.slice(at + 1, end), depth + 1, reading));
      at = end;
    } else children.push(leafOf(token, depth, reading));
  }
  return children;
}

function endOf(tokens: readonly Token[], start: number): number {
  let open = 0;
  for (let at = start; at < tokens.length; at++) {
    open += tokens[at]!.nesting;
    if (open === 0) return at;
  }
  return tokens.length;
}

function elementOf(
  token: Token,
  inner: readonly Token[],
  depth: number,
  reading: Reading,
): ComponentChildren {
  if (depth > deepest) return <p>{inner.map(({ content }) => content).join(" ")}</p>;
  const children = blocksOf(inner, depth, reading);
  switch (token.type) {
    case "paragraph_open":
      return token.hidden ? children : <p>{children}</p>;
    case "heading_open":
      if (reading.isDocument) return headings[token.tag]?.(children) ?? <p>{children}</p>;
      return (
        <p>
          <b>{children}</b>
        </p>
      );
    case "bullet_list_open":
      return <ul {...(reading.isDocument && hasBoxes(inner) && { class: "check" })}>{children}</ul>;
    case "ordered_list_open":
      return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
    case "list_item_open":
      return listItem(inner, depth, reading) ?? <li>{children}</li>;
    case "blockquote_open":
      return <blockquote>{children}</blockquote>;
    case "table_open":
      return (
        <div class="tblw" tabIndex={0}>
          <table class="tbl">{children}</table>
        </div>
      );
    case "thead_open":
      return <thead>{children}</thead>;
    case "tbody_open":
      return <tbody>{children}</tbody>;
    case "tr_open":
      return <tr>{children}</tr>;
    case "th_open":
      return <th scope="col">{children}</th>;
    case "td_open":
      return <td>{children}</td>;
    case "strong_open":
      return <b>{children}</b>;
    case "em_open":
      return <i>{children}</i>;
    case "s_open":
      return <s>{children}</s>;
    case "link_open":
      return <Link href={String(token.attrGet("href") ?? "")} words={textOf(inner)} />;
    default:
      return children;
  }
}

/** A box at the beginning of an item of a list: `[ ]` or `[x]`. */
const box = /^\[([ xX])\]\s+/;

/** Whether the items of a list begin with boxes. */
const hasBoxes = (items: readonly Token[]): boolean => {
  const first = items.filter((_, at) => items[at - 2]?.type === "list_item_open");
  return first.length > 0 && first.every(({ content }) => box.test(content));
};

/** An item of a document's list that begins with a box, with a picture in its place. */
function listItem(
  inner: readonly Token[],
  depth: number,
  reading: Reading,
): ComponentChildren | null {
  const [open, line, ...rest] = inner;
  const [text, ...others] = line?.children ?? [];
  const found = reading.isDocument && text?.type === "text" ? box.exec(text.content) : null;
  if (!found || !open || !line || !text) return null;
  const isDone = found[1] !== " ";
  // What was read is kept for the next time, so it is copied and not changed.
  const without = Object.assign(Object.create(text) as Token, {
    content: text.content.slice(found[0].length),
  });
  const left = Object.assign(Object.create(line) as Token, { children: [without, ...others] });
  return (
    <li>
      <Icon name={isDone ? "t-done" : "t-open"} />
      <span>
        <span class="vh">{isDone ? "Done: " : "To do: "}</span>
        {blocksOf([open, left, ...rest], depth, reading)}
      </span>
    </li>
  );
}

/** The headings of a document by their tag. */
const headings: Readonly<Record<string, (children: ComponentChildren) => ComponentChildren>> = {
  h1: (children) => <h1>{children}</h1>,
  h2: (children) => <h2>{children}</h2>,
  h3: (children) => <h3>{children}</h3>,
  h4: (children) => <h4>{children}</h4>,
  h5: (children) => <h5>{children}</h5>,
  h6: (children) => <h6>{children}</h6>,
};

function leafOf(token: Token, depth: number, reading: Reading): ComponentChildren {
  switch (token.type) {
    case "inline":
      return blocksOf(token.children ?? [], depth, reading);
    case "text":
      return reading.of ? linked(token.content, reading.of) : token.content;
    case "softbreak":
    case "hardbreak":
      return <br />;
    case "code_inline":
      return <code>{token.content}</code>;
    case "fence":
    case "code_block":
      return <Code text={token.content} language={languageOf(token)} />;
    case "hr":
      return <hr />;
    case "image":
      return <Link href={String(token.attrGet("src") ?? "")} words={token.content || "image"} />;
    default:
      return token.content;
  }
}

/** Longer words than the names of languages are cut. */
const longestLanguage = 30;

const languageOf = ({ info }: Token): string =>
  visible((info.trim().split(/\s+/)[0] ?? "").slice(0, longestLanguage));

const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ content, children }) => (children ? textOf(children) : content)).join("");

function Code({ text, language }: { text: string; language: string }) {
  const code = text.replace(/\n$/, "");
  const pieces = useColours(code, language);
  return (
    <div class="code" role="group" aria-label={language ? `Code, ${language}` : "Code"}>
      {language && (
        <span class="lang" aria-hidden="true">
          {language}
        </span>
      )}
      <pre tabIndex={0}>
        <code>
          {pieces ? pieces.map((piece, at) => <ColouredPiece key={at} piece={piece} />) : code}
        </code>
      </pre>
    </div>
  );
}

/**
 * A link to another site. Where its words are not its address, the host stands behind them, as the network knows it; behind
 * those of a link to a mailbox stands the mailbox.
 */
function Link({ href, words }: { href: string; words: string }) {
  const url = URL.parse(href);
  if (!url || !/^(https?|mailto):$/.test(url.protocol)) return <>{words}</>;
  const end = url.protocol === "mailto:" ? url.pathname : url.host;
  const shown = words.trim() || href;
  return (
    <>
      <a class="out" href={url.href} target="_blank" rel="noopener noreferrer">
        <bdi>{visible(shown)}</bdi>
      </a>
      {!isAddress(shown, href, end) && (
        <small class="muted">
          {" "}
          <bdi>{visible(end)}</bdi>
        </small>
      )}
    </>
  );
}

/** Whether the words of a link are its address, and say first where it leads. `https://a@b` leads to b and says a. */
function isAddress(words: string, href: string, end: string): boolean {
  const bare = words.replace(/^(https?:\/\/|mailto:)/, "");
  if (bare === end) return true;
  return href.endsWith(words) && bare.startsWith(end) && /[/?#]/.test(bare.charAt(end.length));
}
