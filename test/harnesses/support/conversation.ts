/** The interfaces of models that harnesses speak: Anthropic's messages, OpenAI's responses and its chat. */
export type ModelApi = "anthropic" | "responses" | "chat";

/** A part of a conversation, and who said it. */
export interface Said {
  readonly who: "model" | "user" | "tool";
  readonly text: string;
}

/** JSON of a program that is not ours, as far as it is read. */
export interface Json {
  readonly type?: string;
  readonly role?: string;
  readonly name?: string;
  readonly text?: string;
  readonly model?: string;
  readonly stream?: boolean;
  readonly function?: { readonly name: string };
  readonly messages?: readonly Json[];
  readonly tools?: readonly Json[];
  readonly input?: Content;
  readonly content?: Content;
  readonly output?: Content;
}
type Content = string | Json | readonly Json[] | null;

/** The interface that a path belongs to, or null. */
export function apiAt(path: string): ModelApi | null {
  if (path.endsWith("/v1/messages")) return "anthropic";
  if (path.endsWith("/responses")) return "responses";
  return path.endsWith("/chat/completions") ? "chat" : null;
}

/** What was said, without the system prompt. */
export function conversationIn(api: ModelApi, body: Json): Said[] {
  if (api === "anthropic") return (body.messages ?? []).flatMap(saidInMessages);
  if (api === "responses") return listOf(body.input).map(saidInResponses);
  return (body.messages ?? [])
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => ({
      who: role === "assistant" ? "model" : role === "tool" ? "tool" : "user",
      text: textOf(content),
    }));
}

function saidInMessages({ role, content }: Json): Said[] {
  if (role === "assistant") return [{ who: "model", text: textOf(content) }];
  return listOf(content).map((block) =>
    block.type === "tool_result"
      ? { who: "tool", text: textOf(block.content) }
      : { who: "user", text: textOf(block) },
  );
}

const ownItems = ["function_call", "custom_tool_call", "reasoning", "local_shell_call"];

function saidInResponses(item: Json): Said {
  const { role, type, content, output } = item;
  if (role === "assistant" || ownItems.includes(type ?? ""))
    return { who: "model", text: textOf(content) };
  if (type?.endsWith("_output")) return { who: "tool", text: textOf(output) };
  return { who: "user", text: textOf(content) };
}

/** The names of the tools that the model may call. */
export const toolsIn = ({ tools = [] }: Json): readonly string[] =>
  tools.map((tool) => tool.name ?? tool.function?.name ?? tool.type ?? "");

/** A text alone counts as a list of one. */
function listOf(content: Content | undefined): readonly Json[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", role: "user", text: content }];
  return isList(content) ? content : [content];
}

const isList = (content: Json | readonly Json[]): content is readonly Json[] =>
  Array.isArray(content);

const textOf = (content: Content | undefined): string =>
  listOf(content)
    .map((one) => one.text ?? textOf(one.content))
    .join("\n");
