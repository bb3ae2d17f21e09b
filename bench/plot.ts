import type { Rung } from "./parts/ladder.ts";

const ways = [
  { key: "write", name: "post to answer" },
  { key: "stream", name: "post to stream" },
  { key: "poll", name: "post to long poll" },
] as const;
const shares = [
  { key: "p50", name: "p50", colour: "#1f6f8b" },
  { key: "p95", name: "p95", colour: "#d98032" },
  { key: "p99", name: "p99", colour: "#b23a48" },
] as const;

const panel = { width: 300, height: 200, left: 62, top: 62, gapX: 62, gapY: 76 };
const text = (x: number, y: number, content: string, attributes = "") =>
  `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;

/** Draws the ladder: a column for each way of a post, a row for each crowd, milliseconds on a logarithmic scale. */
export function plotLadder(rungs: Rung[]): string {
  const crowds = [...new Set(rungs.map(({ agents }) => agents))];
  const width = panel.left + ways.length * (panel.width + panel.gapX) - panel.gapX + 20;
  const height = panel.top + crowds.length * (panel.height + panel.gapY) - 14;
  const axes = { ...scaleOf(rungs), rates: [...new Set(rungs.map(({ rate }) => rate))] };
  const panels = crowds.flatMap((agents, row) =>
    ways.map((way, column) => {
      const x = panel.left + column * (panel.width + panel.gapX);
      const y = panel.top + row * (panel.height + panel.gapY);
      const own = rungs.filter((rung) => rung.agents === agents);
      return `<g transform="translate(${x} ${y})">${drawPanel(own, way, agents, axes)}</g>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#222">
<rect width="${width}" height="${height}" fill="#fff"/>
${text(panel.left, 22, "Ladder: time from the sending of a post", 'font-size="15" font-weight="600"')}
${legend(width)}
${panels.join("\n")}
</svg>
`;
}

interface Axes extends Scale {
  /** Posts a second of the rungs, in order. */
  rates: number[];
}
interface Scale {
  /** Powers of ten, least and greatest. */
  low: number;
  high: number;
}

function scaleOf(rungs: Rung[]): Scale {
  const times = rungs.flatMap(({ delivered }) =>
    ways.flatMap(({ key }) => shares.map((share) => delivered[key][share.key])),
  );
  const positive = times.filter((time) => time > 0);
  return {
    low: Math.floor(Math.log10(Math.min(...positive))),
    high: Math.max(1, Math.ceil(Math.log10(Math.max(...positive)))),
  };
}

const heightOf = (ms: number, { low, high }: Scale) =>
  panel.height * (1 - (Math.log10(Math.max(ms, 10 ** low)) - low) / (high - low));

function drawPanel(rungs: Rung[], way: (typeof ways)[number], agents: number, axes: Axes): string {
  const x = (rate: number) => (panel.width / axes.rates.length) * (axes.rates.indexOf(rate) + 0.5);
  const lines = shares.map(({ key, colour }) => {
    const points = rungs.map(({ rate, delivered }) => [
      x(rate),
      heightOf(delivered[way.key][key], axes),
    ]);
    const dots = points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`);
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(" ")}"/>${dots.join("")}`;
  });
  const rates = axes.rates.map((rate) =>
    text(x(rate), panel.height + 17, String(rate), 'text-anchor="middle"'),
  );
  return [
    text(0, -10, `${agents.toLocaleString("en")} agents: ${way.name}`, 'font-weight="600"'),
    grid(axes),
    ...lines,
    ...rates,
    text(panel.width / 2, panel.height + 36, "posts a second", 'text-anchor="middle"'),
  ].join("");
}

function grid(scale: Scale): string {
  const lines = [];
  for (let power = scale.low; power <= scale.high; power++) {
    const y = heightOf(10 ** power, scale);
    lines.push(`<line x2="${panel.width}" y1="${y}" y2="${y}" stroke="#ddd"/>`);
    const label = power < 3 ? `${10 ** power} ms` : `${10 ** (power - 3)} s`;
    lines.push(text(-8, y + 4, label, 'text-anchor="end"'));
  }
  return lines.join("");
}

function legend(width: number): string {
  return shares
    .map(({ name, colour }, i) => {
      const x = width - 210 + i * 66;
      return `<line x1="${x}" x2="${x + 22}" y1="18" y2="18" stroke="${colour}" stroke-width="3"/>${text(x + 27, 22, name)}`;
    })
    .join("");
}
