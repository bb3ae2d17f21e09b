import { answerOf } from "./answer-of.ts";
import type { Inside } from "./app.ts";
import type { HostCheck } from "./hosts.ts";
import { answerProbe } from "./probes.ts";
import { routesOf } from "./routes.ts";
import type { ServerParts } from "./server-parts.ts";

/** What answers the requests to a server: probes first, then the check of the name it is called by, then its routes. */
export function insideOf(parts: ServerParts, checkHost: HostCheck): Inside {
  const answerRoute = routesOf(parts);
  return {
    answer(request) {
      const probe = answerProbe(parts, request);
      if (probe) return probe;
      checkHost(request);
      return answerRoute(request);
    },
    failed: (request, error) =>
      answerOf(parts, request, async () => {
        throw error;
      }),
  };
}
