import { Elysia, t } from "elysia";

/** A bare Elysia program: a JSON body, validated and sent back. Listens on the port of its first argument. */
const message = t.Object({
  body: t.String({ minLength: 1, maxLength: 32_768 }),
  to: t.Array(t.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 50 }),
});

new Elysia()
  .get("/", () => ({ name: "echo" }))
  .post("/echo", ({ body }) => body, { body: message, response: message })
  .listen({ hostname: "127.0.0.1", port: Number(process.argv.at(-1)) });
