import type { World } from "./servers/server-in-process.ts";

/** A statement that was read by, how many rows were taken of it, and how many bytes of text they had. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
  readonly rows: number;
  readonly bytes: number;
}

/** Bytes of the texts of some rows. */
const bytesOf = (rows: readonly unknown[]): number =>
  rows
    .flatMap((row) => Object.values(row as object))
    .filter((value) => typeof value === "string" || value instanceof Uint8Array)
    .reduce((sum, value) => sum + Buffer.byteLength(value), 0);

/** Every statement that `work` reads by. */
export async function statementsOf(
  world: World,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { read } = world.db;
  world.db.read = (unit) =>
    read((tx) =>
      unit({
        ...tx,
        all<Row>(text: string, ...values: never[]): Row[] {
          const rows = tx.all<Row>(text, ...values);
          seen.push({ text, values, rows: rows.length, bytes: bytesOf(rows) });
          return rows;
        },
        *each<Row>(text: string, ...values: never[]): Generator<Row, void> {
          const statement = { text, values, rows: 0, bytes: 0 };
          seen.push(statement);
          for (const row of tx.each<Row>(text, ...values)) {
            statement.rows++;
            statement.bytes += bytesOf([row]);
            yield row;
          }
        },
        get<Row>(text: string, ...values: never[]): Row | null {
          const row = tx.get<Row>(text, ...values);
          const rows = row === null ? [] : [row];
          seen.push({ text, values, rows: rows.length, bytes: bytesOf(rows) });
          return row;
        },
      }),
    );
  await work();
  world.db.read = read;
  return seen;
}
