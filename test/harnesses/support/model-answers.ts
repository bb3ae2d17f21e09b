import type { Json, ModelApi } from "./conversation.ts";

/** A call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly input: object;
}

/** What the model says: a text that ends the turn, calls of tools, or an error with an HTTP status. */
export interface Reply {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
  readonly fail?: number;
}

type Event = readonly [name: string, data: object | string];

let made = 0;
const newId = (prefix: string) => `${prefix}_${String(++made).padStart(8, "0")}`;

/** The answer to a request, in the form of its interface. */
export function answerOf(api: ModelApi, body: Json, reply: Reply): Response {
  if (reply.fail) {
    const error = { type: "invalid_request_error", code: "scripted", message: "scripted failure" };
    return Response.json({ type: "error", error }, { status: reply.fail });
  }
  const isWhole = body.stream !== true && api !== "responses";
  if (isWhole) return Response.json(api === "anthropic" ? message(body, reply) : chat(body, reply));
  const events = { anthropic: messageEvents, responses: responseEvents, chat: chatEvents };
  const text = events[api](body, reply).map(eventText).join("");
  return new Response(text, {
    headers: { "content-type": "text/event-stream", "request-id": newId("req") },
  });
}

function eventText([name, data]: Event): string {
  const line = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === "" ? "" : `event: ${name}\n`}data: ${line}\n\n`;
}

function message({ model }: Json, { text, calls = [] }: Reply) {
  const content = [
    ...(text ? [{ type: "text" as const, text }] : []),
    ...calls.map((call) => ({ type: "tool_use" as const, id: newId("toolu"), ...call })),
  ];
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      output_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

function messageEvents(body: Json, reply: Reply): Event[] {
  const whole = message(body, reply);
  const begun = { ...whole, content: [], stop_reason: null };
  const blocks = whole.content.flatMap((block, index): Event[] => {
    const [empty, delta] =
      block.type === "text"
        ? [
            { ...block, text: "" },
            { type: "text_delta", text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          ];
    return [
      event({ type: "content_block_start", index, content_block: empty }),
      event({ type: "content_block_delta", index, delta }),
      event({ type: "content_block_stop", index }),
    ];
  });
  const { stop_reason } = whole;
  return [
    event({ type: "message_start", message: begun }),
    ...blocks,
    event({
      type: "message_delta",
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 10 },
    }),
    event({ type: "message_stop" }),
  ];
}

/** An event that is named by its type. */
const event = <E extends { readonly type: string }>(data: E): Event => [data.type, data];

function responseEvents(body: Json, { text, calls = [] }: Reply): Event[] {
  const said = { type: "output_text", text, annotations: [] };
  const output = [
    ...(text
      ? [
          {
            type: "message",
            id: newId("msg"),
            role: "assistant",
            status: "completed",
            content: [said],
          },
        ]
      : []),
    ...calls.map(({ name, input }) => ({
      type: "function_call",
      id: newId("fc"),
      call_id: newId("call"),
      status: "completed",
      ...calledIn(body, name),
      arguments: JSON.stringify(input),
    })),
  ];
  const response = {
    id: newId("resp"),
    object: "response",
    status: "completed",
    model: body.model,
    output,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      total_tokens: 110,
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
  const items = output.flatMap((item, output_index): Event[] => [
    event({
      type: "response.output_item.added",
      output_index,
      item: { ...item, ...(item.type === "message" ? { content: [] } : { arguments: "" }) },
    }),
    ...(item.type === "message"
      ? [
          event({
            type: "response.output_text.delta",
            output_index,
            item_id: item.id,
            content_index: 0,
            delta: text,
          }),
        ]
      : []),
    event({ type: "response.output_item.done", output_index, item }),
  ]);
  const begun = { ...response, status: "in_progress", output: [] };
  return [
    event({ type: "response.created", response: begun }),
    ...items,
    event({ type: "response.completed", response }),
  ];
}

function chat({ model }: Json, { text, calls = [] }: Reply) {
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: newId("call"),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const said = {
    role: "assistant",
    content: text ?? null,
    ...(calls.length > 0 && { tool_calls }),
  };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  return {
    id: newId("chatcmpl"),
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message: said, finish_reason }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

/** The name of a tool that a call uses. One of a namespace is called by both names. */
function calledIn({ tools = [] }: Json, name: string): { name: string; namespace?: string } {
  const { name: namespace = "" } =
    tools.find((tool) => tool.type === "namespace" && name.startsWith(`${tool.name}.`)) ?? {};
  return namespace === "" ? { name } : { name: name.slice(namespace.length + 1), namespace };
}

function chatEvents(body: Json, reply: Reply): Event[] {
  const whole = chat(body, reply);
  const { message: said, finish_reason } = whole.choices[0]!;
  const chunk = (delta: object, finished: string | null): Event => [
    "",
    {
      ...whole,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finished }],
    },
  ];
  return [chunk(said, null), chunk({}, finish_reason), ["", "[DONE]"]];
}
