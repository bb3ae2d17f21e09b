import { defineCommand } from "../frame/command.ts";
import { sessionFlags, takeSide } from "./side-of-session.ts";

export default defineCommand({
  summary: "Accept a pairing request with this session",
  acts: "session",
  args: {
    id: {
      type: "positional",
      required: false,
      valueHint: "ID",
      description: "The pairing request (else the only one that waits for you).",
    },
    ...sessionFlags,
  },
  details:
    "For a session of the person who was asked. The session holds a seat on the request's board (`join --board`), and from then on its agent and the inviter's write to each other there. The request is ready once each has answered a message of the other.",
  seeAlso: ["pairing show", "pairing decline"],
  run: ({ args, data: cli }) => takeSide(cli, "accept", args),
});
