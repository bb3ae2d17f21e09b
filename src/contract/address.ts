/** What a request's address is made of. Values are written as text, and a list gives its parameter several times. */
interface Parts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Path and query of a request: the template's parameters filled in, then what the query has. */
export function addressOf(template: string, { params = {}, query = {} }: Parts): string {
  const path = template.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [value].flat().map((one) => [key, String(one)]),
    ) as [string, string][],
  ).toString();
  return `${path}${search && `?${search}`}`;
}
