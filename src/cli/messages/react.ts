import { reactions } from "../../contract/words.ts";
import type { ReactionName } from "../../contract/message.ts";
import { speakingPlace } from "../acting/speaker.ts";
import { defineCommand, speakerFlags } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { boardIn, messageId, readable } from "./message-reference.ts";

export default defineCommand({
  summary: "React to a message with an emoji",
  acts: "speaker",
  args: {
    message: { type: "positional", valueHint: "MSG", description: "The message, such as 6." },
    emoji: {
      type: "positional",
      description: `${Object.entries(reactions).flat().join(", ")}.`,
    },
    remove: { type: "boolean", description: "Take the reaction back." },
    ...speakerFlags,
  },
  details: "It wakes nobody. A repeat changes nothing.",
  examples: [["react 6 check", "Put a check on message 6."]],
  seeAlso: ["say"],
  async run({ args, data: cli }) {
    const [name, emoji] = reactionOf(args.emoji);
    const { actor } = await speakingPlace(cli, args, { board: boardIn(args.message) });
    const { api } = actor;
    const id = await messageId(actor, args.message);
    const call = api.call(args.remove ? "removeReaction" : "addReaction", {
      params: { message: id, reaction: name },
    });
    const message = await readable(actor, args.message, call);
    const { board } = message;
    const done = args.remove ? "taken off" : "put on";
    return {
      json: { board, message, reaction: { name, emoji }, removed: args.remove },
      text: `${emoji} ${done} #${message.seq} on ${board}`,
    };
  },
});

/** A reaction by its name or its character, with or without the variation selector for colour. */
function reactionOf(text: string): [ReactionName, string] {
  const wanted = text.replace(/^:(.+):$/, "$1");
  const found = Object.entries(reactions).find(
    ([name, emoji]) =>
      name === wanted || emoji.replace("\ufe0f", "") === wanted.replace("\ufe0f", ""),
  );
  if (found) return found as [ReactionName, string];
  throw usageError(
    `${text} is no reaction.`,
    `Choose one of ${Object.entries(reactions)
      .map((pair) => pair.join(" "))
      .join(", ")}.`,
    { choices: Object.keys(reactions) },
  );
}
