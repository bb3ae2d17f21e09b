/**
 * Values by row number. Rows of one table that are in use are mostly neighbours, so they are held in pages, which take a quarter
 * of the memory of a Map with as many. A row without neighbours takes four times as much.
 */
export class RowMap<T> {
  readonly #pages = new Map<number, (T | undefined)[]>();

  get(row: number): T | undefined {
    return this.#pages.get(Math.floor(row / pageRows))?.[row % pageRows];
  }
  set(row: number, value: T): void {
    const number = Math.floor(row / pageRows);
    let page = this.#pages.get(number);
    if (!page) this.#pages.set(number, (page = Array.from<T | undefined>({ length: pageRows })));
    page[row % pageRows] = value;
  }
}

const pageRows = 16;
