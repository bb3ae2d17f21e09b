import type { Draw } from "./draw.ts";
import type { Hostile } from "./requests.ts";

/** Bytes as they go over the wire, in the pieces in which they are sent. */
export interface Framed {
  readonly what: string;
  readonly pieces: readonly string[];
  /** How the client's side ends: it stays, it says that no more comes, or the connection is cut at once. */
  readonly end: "stays" | "finishes" | "cuts";
}

/** The head of a request, without its end. */
const headOf = ({ method, target, lines }: Hostile, version = "1.1") =>
  [`${method} ${target} HTTP/${version}`, ...lines].join("\r\n");
const lengthOf = ({ body, method }: Hostile) =>
  body || !["GET", "HEAD"].includes(method) ? `\r\nContent-Length: ${body.length}` : "";

/** A request as a client sends it. */
export const plain = (request: Hostile): string =>
  `${headOf(request)}${lengthOf(request)}\r\n\r\n${request.body}`;

type Framing = (request: Hostile, draw: Draw) => Partial<Framed> & { pieces: readonly string[] };

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunkedHead = (request: Hostile, more = "") =>
  `${headOf(request)}\r\nTransfer-Encoding: chunked${more}\r\n\r\n`;
const withLength = (request: Hostile, length: string | number) => [
  `${headOf(request)}\r\nContent-Length: ${length}\r\n\r\n${request.body}`,
];
/** A text in pieces of a drawn size. */
const inPieces = (text: string, draw: Draw) => {
  const size = 1 + draw.int(Math.max(text.length / 3, 1));
  return text.match(new RegExp(`[^]{1,${Math.min(size, 60_000)}}`, "g")) ?? [];
};

const framings: Readonly<Record<string, Framing>> = {
  "in chunks": (request) => {
    const half = request.body.length >> 1;
    const [first, second] = [request.body.slice(0, half), request.body.slice(half)];
    const chunks = [first, second].filter(Boolean).map(chunk);
    return { pieces: [chunkedHead(request), ...chunks, "0\r\n\r\n"] };
  },
  "in chunks with trailers": (request) => ({
    pieces: [chunkedHead(request), "1;x=y\r\n{\r\n0\r\nX-Trailer: a\r\n\r\n"],
  }),
  "in bad chunks": (request, draw) => ({
    pieces: [
      chunkedHead(request),
      draw.pick([
        "zz\r\n{}\r\n0\r\n\r\n",
        "-1\r\n",
        "ffffffffffffffffff\r\n{}",
        "2\r\n{}x0\r\n\r\n",
        "\r\n\r\n",
      ]),
    ],
    end: "finishes",
  }),
  "in chunks that never end": (request) => ({
    pieces: [chunkedHead(request), chunk("{")],
    end: "finishes",
  }),
  "with a length and chunks": (request) => ({
    pieces: [chunkedHead(request, "\r\nContent-Length: 2"), "0\r\n\r\n"],
  }),
  "of another encoding": (request, draw) => ({
    pieces: [
      `${headOf(request)}\r\nTransfer-Encoding: ${draw.pick(["gzip", "gzip, chunked", "x", "chunked, chunked", " chunked"])}\r\n\r\n0\r\n\r\n`,
    ],
  }),
  "with too great a length": (request) => ({
    pieces: withLength(request, request.body.length + 50),
    end: "finishes",
  }),
  "with too small a length": (request) => ({
    pieces: withLength(request, Math.max(request.body.length - 3, 0)),
    end: "finishes",
  }),
  "with no length": (request, draw) => ({
    pieces: withLength(
      request,
      draw.pick([
        "-1",
        "+2",
        "2, 2",
        "0x2",
        "2 2",
        "",
        "99999999999999999999",
        "1e3",
        "2\r\nContent-Length: 3",
      ]),
    ),
    end: "finishes",
  }),
  "with a length of terabytes": (request) => ({
    pieces: withLength(request, 9_000_000_000_000),
    end: "cuts",
  }),
  slowly: (request, draw) => ({ pieces: inPieces(plain(request), draw).slice(0, 12) }),
  cut: (request, draw) => {
    const text = plain(request);
    return { pieces: [text.slice(0, draw.int(text.length))], end: "cuts" };
  },
  "cut before its answer": (request) => ({ pieces: [plain(request)], end: "cuts" }),
  "finished at once": (request) => ({ pieces: [plain(request)], end: "finishes" }),
  "with an absolute address": (request, draw) => ({
    pieces: [
      plain({
        ...request,
        target:
          draw.pick([
            "http://boards.example",
            "https://boards.example",
            "http://evil.example",
            "http://[",
            "http://",
            "ftp://x:y@z",
          ]) + request.target,
      }),
    ],
  }),
  "of another version": (request, draw) => ({
    pieces: [
      `${headOf(request, draw.pick(["1.0", "0.9", "2.0", "9.9", "1.1 x", ""]))}${lengthOf(request)}\r\n\r\n${request.body}`,
    ],
    end: "finishes",
  }),
  "with bare line feeds": (request) => ({
    pieces: [plain(request).replaceAll("\r\n", "\n")],
    end: "finishes",
  }),
  "with odd lines": (request, draw) => ({
    pieces: [
      plain({
        ...request,
        lines: [
          ...request.lines,
          draw.pick([
            "X",
            ": x",
            "X : y",
            " X: y",
            "X: a\0b",
            "X: a\rb",
            "X\xff: y",
            "Host: two.example",
            "\tfolded",
            "X:\x01",
          ]),
        ],
      }),
    ],
    end: "finishes",
  }),
  "without a host": (request) => ({
    pieces: [plain({ ...request, lines: request.lines.slice(1) })],
    end: "finishes",
  }),
  "with a bomb of headers": (request, draw) => ({
    pieces: [
      plain({
        ...request,
        lines: draw.chance(0.5)
          ? [...request.lines, `X-Bomb: ${"x".repeat(100_000)}`]
          : [...request.lines, ...Array.from({ length: 3000 }, (_, i) => `X-${i}: ${i}`)],
      }),
    ],
    end: "finishes",
  }),
  "as other bytes": (_, draw) => ({
    pieces: [
      draw.pick([
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\0\x05\x01\0\0\x01\0",
        "\0".repeat(1000),
        "\r\n\r\n\r\n\r\n",
        "GET",
        "GET / HTTP/1.1\r\n",
        "SSH-2.0-x\r\n",
        "\xff".repeat(5000),
      ]),
    ],
    end: "finishes",
  }),
};
const kinds = Object.keys(framings);

/** Draws how a request is sent in a way that no ordinary client does. */
export function framed(request: Hostile, draw: Draw): Framed {
  const what = draw.pick(kinds);
  return { what, end: "stays", ...framings[what]!(request, draw) };
}
