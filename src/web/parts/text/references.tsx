import type { ComponentChildren } from "preact";
import { me } from "../../core/boards/overview.ts";
import { isMessage, tasksOf, type TaskKnown } from "../../core/talk/references.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { Icon, type IconName } from "../icon.tsx";
import { visible } from "../who.tsx";

const icons: Readonly<Record<string, IconName>> = {
  open: "t-open",
  in_progress: "t-prog",
  done: "t-done",
  cancelled: "t-cancel",
};

/** A task's reference with its state, as a link. */
export function TaskLink({ board, reference }: { board: string; reference: string }) {
  const task = tasksOf(board).get(reference);
  return (
    <a
      class="ref"
      href={addressOf(board, "tasks", reference)}
      {...(task && { title: titleOf(task) })}
    >
      {task && <Icon name={icons[task.state] ?? "task"} />}
      {reference}
    </a>
  );
}
const titleOf = ({ title, state }: TaskKnown): string =>
  `${visible(title)} (${state.replace("_", " ")})`;

/** The message that a text belongs to: it says which of the names in the text are mentions. A task's text has no sender. */
export type Source = Pick<Message, "board" | "mentions"> & Partial<Pick<Message, "from">>;

/** What a text may name: a member, a task or a message. */
const named =
  /(?<![\p{L}\p{N}_.\-@/\\#])(@(?:role:)?[a-z0-9-]+|[A-Z][A-Z0-9]{1,9}-\d{1,7}|#\d{1,10})(?![\p{L}\p{N}_-])/gu;

/** A part of what somebody wrote, with links to the members, tasks and messages that it names and that there are. */
export function linked(text: string, of: Source): ComponentChildren {
  if (!/[@#-]/.test(text)) return text;
  const parts = text.split(named);
  if (parts.length === 1) return text;
  return parts.map((part, at) =>
    at % 2 === 0 ? part : <Reference key={at} text={part} of={of} />,
  );
}

/** One name in a text. What there is not stays as it was written. */
function Reference({ text, of }: { text: string; of: Source }) {
  const { board, mentions } = of;
  if (text.startsWith("@")) {
    const mention = mentions.find((one) => one.text === text);
    if (!mention) return <>{text}</>;
    const isFromHere = of.from?.origin === undefined;
    const isMe = isFromHere && mention.kind === "human" && mention.name === me.value;
    const look = isMe ? "at me" : mention.kind === "agent" ? "at a" : "at";
    return (
      <a class={look} href={addressOf(board, "people")}>
        {text}
      </a>
    );
  }
  if (text.startsWith("#")) {
    const seq = Number(text.slice(1));
    return isMessage(board, seq) ? (
      <a href={addressOf(board, "message", seq)}>{text}</a>
    ) : (
      <>{text}</>
    );
  }
  return tasksOf(board).has(text) ? <TaskLink board={board} reference={text} /> : <>{text}</>;
}
