/** A message of a server that lies: whole in its form, and nothing that anybody wrote. */
export const lyingMessage = {
  id: "msg_1",
  seq: 1,
  body: "lies",
  sender: "owner",
  from: { name: "ana", kind: "human" },
  to: ["@dupe"],
  mentions: [],
  urgent: false,
  expects_reply: false,
  reactions: [],
  board: "lies",
  at: "2026-01-01T00:00:00.000Z",
};
