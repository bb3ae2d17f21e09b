import { boardNamed } from "../src/db/boards.ts";
import { keyWithDigest } from "../src/db/credentials.ts";
import { openDatabase, type Tx } from "../src/db/engine/database.ts";
import { append } from "../src/db/projection/append.ts";
import { hasAgentsOfSeveral, memberNamed, membershipOf } from "../src/db/members.ts";
import { newId } from "../src/server/ids.ts";
import { argumentsOf, reportJson } from "./child.ts";
import { measureBatches } from "./repeat.ts";
import { post } from "./world.ts";

/** One post by the service's own functions of `src/db`: who is calling, the event with its rows, what the answer shows. */
function postMessage(tx: Tx, digest: string): void {
  const { person } = keyWithDigest(tx, digest)!;
  const board = boardNamed(tx, "general")!;
  const me = membershipOf(tx, board.row, person.row)!;
  const recipient = memberNamed(tx, board.row, "reader")!;
  append(tx, board, {
    id: newId(tx, "evt"),
    type: "message.posted",
    actor: { kind: "human", member_id: me.id, name: me.name, owner: null },
    data: {
      message_id: newId(tx, "msg"),
      ...post,
      reply_to: null,
      urgent: false,
      expects_reply: false,
      redactions: [],
      mentions: [],
      recipients: [recipient.id],
    },
  });
  hasAgentsOfSeveral(tx, board.row);
}

const [path = "", seconds, batch] = argumentsOf("DATABASE SECONDS BATCH", 3);
const db = openDatabase(path);
const { digest } = db.read((tx) => tx.get<{ digest: string }>("SELECT digest FROM access_key"))!;
const commitBatch = () =>
  Promise.all(
    Array.from({ length: Number(batch) }, () => db.write((tx) => postMessage(tx, digest))),
  );
const measured = await measureBatches(commitBatch, Number(batch), Number(seconds));
const { writes, commits } = db.counters;
db.close();
if (writes / commits < Number(batch) * 0.99) throw new Error("The batches were split");
reportJson(measured);
