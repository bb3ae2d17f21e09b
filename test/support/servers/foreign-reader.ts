/**
 * Another program that reads a server's database as Litestream does: it holds a read transaction, and now and then writes a
 * table of its own. Its words: the database, and for how long it reads at a time, in milliseconds. It says `reading` when it has begun, and ends when its input does.
 */
import { Database } from "bun:sqlite";

const sql = new Database(process.argv[2]!);
sql.run("PRAGMA busy_timeout = 5000");
sql.run("CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
const read = () => {
  sql.run("BEGIN");
  sql.query("SELECT count(*) FROM event").get();
};
read();
console.log("reading");
const writing = setInterval(() => {
  sql.run("COMMIT");
  sql.run(
    "INSERT INTO _litestream_seq (id, seq) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1",
  );
  read();
}, Number(process.argv[3]));
await Bun.stdin.text();
clearInterval(writing);
sql.close();
