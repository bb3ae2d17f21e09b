import { defineCommand } from "../frame/command.ts";
import { sessionFlags, takeSide } from "./side-of-session.ts";

export default defineCommand({
  summary: "Make this session your side of your pairing request",
  acts: "session",
  args: {
    id: {
      type: "positional",
      valueHint: "ID",
      description: "The pairing request that you made.",
    },
    ...sessionFlags,
  },
  details:
    "For the session of the agent for which the request was made. The other side accepts with a session of its own. The request is ready once each of the two agents has answered a message of the other.",
  seeAlso: ["pairing show", "pairing cancel"],
  run: ({ args, data: cli }) => takeSide(cli, "select", args),
});
