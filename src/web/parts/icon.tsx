/** The pictures of the page, drawn once. `Icon` shows one of them. */
export const Sprite = () => (
  <svg width="0" height="0" hidden aria-hidden="true">
    <symbol id="i-search" viewBox="0 0 16 16">
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.2 10.2 3.3 3.3" />
    </symbol>
    <symbol id="i-needs" viewBox="0 0 16 16">
      <path d="M8 2.5 13.5 8 8 13.5 2.5 8Z" />
    </symbol>
    <symbol id="i-board" viewBox="0 0 16 16">
      <path d="M5.5 3.5h8M5.5 8h8M5.5 12.5h5M2.5 2.5v11" />
    </symbol>
    <symbol id="i-home" viewBox="0 0 16 16">
      <path d="M2.5 7.5 8 3l5.5 4.5M4 6.5v6.5h8V6.5" />
    </symbol>
    <symbol id="i-task" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="5.5" />
      <path d="m5.6 8.2 1.7 1.7 3.2-3.5" />
    </symbol>
    <symbol id="i-t-open" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="5.25" />
    </symbol>
    <symbol id="i-t-prog" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 4.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" stroke="none" />
    </symbol>
    <symbol id="i-t-done" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="6" fill="currentColor" stroke="none" />
      <path d="m5.6 8.2 1.7 1.7 3.2-3.5" stroke="var(--paper)" />
    </symbol>
    <symbol id="i-t-cancel" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="5.25" />
      <path d="m4.5 11.5 7-7" />
    </symbol>
    <symbol id="i-stop" viewBox="0 0 16 16">
      <path d="M5.6 2.5h4.8l3.1 3.1v4.8l-3.1 3.1H5.6l-3.1-3.1V5.6zM5.5 8h5" />
    </symbol>
    <symbol id="i-file" viewBox="0 0 16 16">
      <path d="M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5" />
    </symbol>
    <symbol id="i-brief" viewBox="0 0 16 16">
      <path d="M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2" />
    </symbol>
    <symbol id="i-people" viewBox="0 0 16 16">
      <circle cx="8" cy="5.25" r="2.5" />
      <path d="M3.2 13.5C3.7 10.7 5.6 9.6 8 9.6s4.3 1.1 4.8 3.9" />
    </symbol>
    <symbol id="i-agent" viewBox="0 0 16 16">
      <rect x="2.75" y="2.75" width="10.5" height="10.5" rx="2" />
      <path d="M8 10.5h2.75M5.25 5.75 7 7.5 5.25 9.25" />
    </symbol>
    <symbol id="i-reply" viewBox="0 0 16 16">
      <path d="M6.5 3.5 3 7l3.5 3.5M3 7h6.5a3.5 3.5 0 0 1 3.5 3.5v2" />
    </symbol>
    <symbol id="i-thread" viewBox="0 0 16 16">
      <path d="M4 2.5v7A2.5 2.5 0 0 0 6.5 12H13M10.5 9.5 13 12l-2.5 2.5" />
    </symbol>
    <symbol id="i-smile" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M5.7 9.3c.9 1.6 3.7 1.6 4.6 0M6 6.3v.1M10 6.3v.1" />
    </symbol>
    <symbol id="i-urgent" viewBox="0 0 16 16">
      <path d="M8 2.8v6.6M8 12.6v.4" stroke-width="2" />
    </symbol>
    <symbol id="i-ask" viewBox="0 0 16 16">
      <path d="M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.1.9-1.1 1.7M8 12.6v.2" stroke-width="1.75" />
    </symbol>
    <symbol id="i-clip" viewBox="0 0 16 16">
      <path d="m12.8 7.4-5 5a3 3 0 0 1-4.3-4.2l5.3-5.3a2 2 0 0 1 2.9 2.8l-5.2 5.2a1 1 0 0 1-1.4-1.4l4.6-4.6" />
    </symbol>
    <symbol id="i-filter" viewBox="0 0 16 16">
      <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />
    </symbol>
    <symbol id="i-lock" viewBox="0 0 16 16">
      <rect x="3.5" y="7" width="9" height="6.5" rx="1" />
      <path d="M5.5 7V5.2a2.5 2.5 0 0 1 5 0V7" />
    </symbol>
    <symbol id="i-archive" viewBox="0 0 16 16">
      <path d="M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 9h3" />
    </symbol>
    <symbol id="i-out" viewBox="0 0 16 16">
      <path d="M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5" />
    </symbol>
    <symbol id="i-copy" viewBox="0 0 16 16">
      <rect x="5.5" y="5.5" width="8" height="8" rx="1" />
      <path d="M3 10.5V3.5a1 1 0 0 1 1-1h6.5" />
    </symbol>
    <symbol id="i-check" viewBox="0 0 16 16">
      <path d="m3 8.5 3.2 3.2L13 4.5" />
    </symbol>
    <symbol id="i-x" viewBox="0 0 16 16">
      <path d="m4 4 8 8M12 4l-8 8" />
    </symbol>
    <symbol id="i-right" viewBox="0 0 16 16">
      <path d="m6 3.5 4.5 4.5L6 12.5" />
    </symbol>
    <symbol id="i-down" viewBox="0 0 16 16">
      <path d="M3.5 6 8 10.5 12.5 6" />
    </symbol>
    <symbol id="i-back" viewBox="0 0 16 16">
      <path d="M10 3.5 5.5 8l4.5 4.5" />
    </symbol>
    <symbol id="i-plus" viewBox="0 0 16 16">
      <path d="M8 3v10M3 8h10" />
    </symbol>
    <symbol id="i-dots" viewBox="0 0 16 16">
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.5" />
    </symbol>
    <symbol id="i-newest" viewBox="0 0 16 16">
      <path d="M8 2.5v9M4 8l4 4 4-4M3 14h10" />
    </symbol>
    <symbol id="i-key" viewBox="0 0 16 16">
      <circle cx="5" cy="8" r="2.5" />
      <path d="M7.5 8h6M11 8v2.5M13.5 8v2" />
    </symbol>
    <symbol id="i-machine" viewBox="0 0 16 16">
      <rect x="3" y="3.5" width="10" height="7" rx="1" />
      <path d="M1.5 13h13" />
    </symbol>
    <symbol id="i-browser" viewBox="0 0 16 16">
      <rect x="2.5" y="3" width="11" height="10" rx="1" />
      <path d="M2.5 6h11" />
    </symbol>
    <symbol id="i-bell" viewBox="0 0 16 16">
      <path d="M3.5 11.5c1-1 1-2.3 1-4a3.5 3.5 0 0 1 7 0c0 1.7 0 3 1 4zM6.8 13.8c.7.5 1.7.5 2.4 0" />
    </symbol>
    <symbol id="i-send" viewBox="0 0 16 16">
      <path d="M8 13V3.5M4 7l4-4 4 4" />
    </symbol>
    <symbol id="i-edit" viewBox="0 0 16 16">
      <path d="m3 13 .7-3 7.3-7.3 2.3 2.3L6 12.3z" />
    </symbol>
    <symbol id="i-clock" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5v3.2l2 1.3" />
    </symbol>
    <symbol id="i-link" viewBox="0 0 16 16">
      <path d="M7 9.5a2.5 2.5 0 0 0 3.6 0l2-2A2.5 2.5 0 0 0 9 3.9l-.8.8M9 6.5a2.5 2.5 0 0 0-3.6 0l-2 2A2.5 2.5 0 0 0 7 12.1l.8-.8" />
    </symbol>
    <symbol id="i-save" viewBox="0 0 16 16">
      <path d="M8 2.5v7.5M4.5 7 8 10.5 11.5 7M3 13.5h10" />
    </symbol>
    <symbol id="i-chain" viewBox="0 0 16 16">
      <rect x="2.5" y="6" width="6" height="4" rx="2" />
      <rect x="7.5" y="6" width="6" height="4" rx="2" />
    </symbol>
    <symbol id="i-pin" viewBox="0 0 16 16">
      <path d="M5.5 2.5h5M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5" />
    </symbol>
    <symbol id="i-cols" viewBox="0 0 16 16">
      <path d="M2.5 3h3v10h-3zM6.7 3h3v7h-3zM10.7 3h3v4h-3z" />
    </symbol>
    <symbol id="i-list" viewBox="0 0 16 16">
      <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />
    </symbol>
    <symbol id="i-warn" viewBox="0 0 16 16">
      <path d="M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1" />
    </symbol>
    <symbol id="i-cut" viewBox="0 0 16 16">
      <path d="M2.5 2.5 13.5 13.5M4.5 6.5C3 7 2 8 2 9.5A2.5 2.5 0 0 0 4.5 12H10M7 4.5a3.5 3.5 0 0 1 5 3 2.5 2.5 0 0 1 1.6 3.7" />
    </symbol>
    <symbol id="i-leave" viewBox="0 0 16 16">
      <path d="M9 3H3.5v10H9M7 8h6.5M11 5.5 13.5 8 11 10.5" />
    </symbol>
    <symbol id="i-eye" viewBox="0 0 16 16">
      <path d="M1.8 8C3.2 5.3 5.4 4 8 4s4.8 1.3 6.2 4c-1.4 2.7-3.6 4-6.2 4S3.2 10.7 1.8 8Z" />
      <circle cx="8" cy="8" r="1.8" />
    </symbol>
    <symbol id="i-up" viewBox="0 0 16 16">
      <path d="M8 13V4M4 7.5 8 3.5l4 4" />
    </symbol>
    <symbol id="i-brand" viewBox="0 0 16 16">
      <path d="M4 1v14M8.75 4.5H14M8.75 11.5H14" />
      <circle cx="4" cy="4.5" r="2.5" fill="currentColor" stroke="none" />
      <rect x="1.75" y="9.25" width="4.5" height="4.5" rx="1" fill="var(--paper)" />
    </symbol>
  </svg>
);

/** The name of a picture. */
export type IconName =
  | "search"
  | "needs"
  | "board"
  | "home"
  | "task"
  | "t-open"
  | "t-prog"
  | "t-done"
  | "t-cancel"
  | "stop"
  | "file"
  | "brief"
  | "people"
  | "agent"
  | "reply"
  | "thread"
  | "smile"
  | "urgent"
  | "ask"
  | "clip"
  | "filter"
  | "lock"
  | "archive"
  | "out"
  | "copy"
  | "check"
  | "x"
  | "right"
  | "down"
  | "back"
  | "plus"
  | "dots"
  | "newest"
  | "key"
  | "machine"
  | "browser"
  | "bell"
  | "send"
  | "edit"
  | "clock"
  | "link"
  | "save"
  | "chain"
  | "pin"
  | "cols"
  | "list"
  | "warn"
  | "cut"
  | "leave"
  | "eye"
  | "up"
  | "brand";

/** A picture beside words. It says nothing by itself. */
export const Icon = ({ name, small = false }: { name: IconName; small?: boolean }) => (
  <svg class={small ? "i i-s" : "i"} aria-hidden="true">
    <use href={`#i-${name}`} />
  </svg>
);
