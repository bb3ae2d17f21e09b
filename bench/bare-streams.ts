/**
 * The least a server of streams can do: `GET /stream` opens one with the opening bytes, `POST /event` sends its body to
 * all of them, `POST /copies` a copy to each, `GET /ready` answers. Arguments: the opening bytes, the port.
 */
const [opening = "", port] = process.argv.slice(-2);
const encoder = new TextEncoder();
const controllers = new Set<ReadableStreamDefaultController<Uint8Array>>();

function openStream(): Response {
  let own: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      own = controller;
      controllers.add(controller);
      controller.enqueue(encoder.encode(opening));
    },
    cancel: () => void controllers.delete(own),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  async fetch(request) {
    if (request.url.endsWith("/ready")) return new Response("{}");
    if (request.method === "GET") {
      server.timeout(request, 0);
      return openStream();
    }
    const event = encoder.encode(await request.text());
    const own = request.url.endsWith("/copies");
    for (const controller of controllers) controller.enqueue(own ? event.slice() : event);
    return new Response("{}");
  },
});
