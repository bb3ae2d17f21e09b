import { me } from "../../core/boards/overview.ts";
import type { Message } from "../../core/talk/talk.ts";
import { Name, named, visible } from "../who.tsx";

type AskOf = NonNullable<Message["ask"]>;

/** An ask in one sentence, for who does not see its shape. */
export function nameOfAsk(
  { from }: Message,
  { to, state, going_with, approval }: AskOf,
  isMine: boolean,
  isOpen: boolean,
): string {
  const whom = isMine ? "you" : named(to);
  const asker = named(from);
  if (!isOpen) {
    const how = { withdrawn: "Withdrawn", went_with: "Gone ahead", open: "Answered" } as const;
    return `${state === "answered" ? "Answered" : how[state]} ask of ${asker} to ${whom}`;
  }
  if (going_with !== null) return `${asker} asks ${whom}; it goes ahead unless told otherwise`;
  const what = approval ? " to approve a file" : "";
  return `${asker} asks ${whom}${what}; it is blocked until ${isMine ? "you answer" : "there is an answer"}`;
}

/** What an ask is: who asks whom, and what hangs on it. */
export function Sentence({
  message: { from },
  ask,
  isMine,
  isOpen,
}: {
  message: Message;
  ask: AskOf;
  isMine: boolean;
  isOpen: boolean;
}) {
  const isOwn = from.name === me.value && from.kind === "human" && from.origin === undefined;
  const asker = isOwn ? <b>You</b> : <Name of={from} />;
  const asked = isMine ? <b>you</b> : <Name of={ask.to} />;
  if (ask.state === "withdrawn" && !isOpen)
    return (
      <>
        {asker} took {isOwn ? "your" : from.kind === "agent" ? "its" : "their"} ask to {asked} back
      </>
    );
  if (!isOpen)
    return (
      <>
        {asker} asked {asked}
      </>
    );
  if (ask.going_with !== null)
    return (
      <>
        {asker} {isOwn ? "go" : "goes"} with <b>“{visible(ask.going_with)}”</b> unless told
        otherwise
      </>
    );
  if (isMine)
    return (
      <>
        {asker} is <b>blocked on you</b>
        {ask.approval && ": approve a file"}
      </>
    );
  return (
    <>
      {asker} {isOwn ? "are" : "is"} blocked on {asked}
    </>
  );
}
