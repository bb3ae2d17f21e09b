interface Page {
  readonly next_after: number | null;
}

/** The pages of a list from a position on. Each page is read when the caller takes it. */
export async function* pagesAfter<P extends Page>(
  position: number,
  read: (after: number) => Promise<P>,
): AsyncGenerator<P> {
  let after: number | null = position;
  while (after !== null) {
    const page: P = await read(after);
    yield page;
    after = page.next_after;
  }
}
