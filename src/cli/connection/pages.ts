interface Page {
  readonly next_after: number | null;
}

/** The pages of a list from a position on. Each page is read when the caller takes it. */
export const pagesAfter = <P extends Page>(
  position: number,
  read: (after: number) => Promise<P>,
): AsyncGenerator<P> => pages(position, read, ({ next_after }) => next_after);

/** The pages of any list: `next` says where a page goes on, and null ends the list. */
export async function* pages<P, At>(
  first: At,
  read: (at: At) => Promise<P>,
  next: (page: P) => At | null | undefined,
): AsyncGenerator<P> {
  let at: At | null | undefined = first;
  do {
    const page: P = await read(at);
    yield page;
    at = next(page);
  } while (at !== null && at !== undefined);
}
