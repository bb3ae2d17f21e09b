import type { World } from "../support/world.ts";

/** A statement that was read by, and how many rows it gave. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
  readonly rows: number;
}

/** Every statement that `work` reads by, with how many rows each gave. */
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
          seen.push({ text, values, rows: rows.length });
          return rows;
        },
        get<Row>(text: string, ...values: never[]): Row | null {
          const row = tx.get<Row>(text, ...values);
          seen.push({ text, values, rows: row === null ? 0 : 1 });
          return row;
        },
      }),
    );
  await work();
  world.db.read = read;
  return seen;
}
