import { callers, operation } from "./operation.ts";
import { Count, Timestamp } from "./scalars.ts";
import { nullable, oneOf, record, t } from "./schema.ts";

const Seconds = t.Number({ minimum: 0 });

/** One figure about a server. Its name ends with its unit, and with `_total` if it only grows. */
export const Figure = record({
  name: t.String(),
  kind: oneOf("counter", "gauge"),
  about: t.String(),
  value: t.Number(),
});

/** How many requests of an operation were answered with a class of status, and how long they took together. */
export const RequestFigure = record({
  operation: nullable(t.String()),
  status: t.String(),
  count: Count,
  seconds: Seconds,
});

export const getNumbers = operation({
  method: "GET",
  path: "/v1/numbers",
  tag: "server",
  summary: "Show figures about the server",
  description:
    "Those that `serve --metrics` offers to Prometheus. Counters begin at the start of the server. What only the tables know is counted at most once a minute, and left out until it was counted. No figure names a board, a person, an agent or a path.",
  access: "server-admin",
  callers: callers.people,
  response: record({
    at: Timestamp,
    started_at: Timestamp,
    counted_at: nullable(Timestamp),
    figures: t.Array(Figure),
    requests: t.Array(RequestFigure),
    commits: record({ count: Count, seconds: Seconds }),
  }),
  errors: [],
});
