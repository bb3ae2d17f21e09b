/** The style of every page. It needs nothing that is not on the page. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --ink: #1f2328; --quiet: #5b636e; --line: #e4e4e0; --shade: #f4f4f1; --link: #0b5cad;
  --get: #19693b; --post: #0b5cad; --put: #8a5300; --delete: #b02a37;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #d8dbe0; --quiet: #969da8; --line: #2b2f35; --shade: #1f2226; --link: #7fb4f0;
    --get: #79c99a; --post: #7fb4f0; --put: #dfae63; --delete: #f0919a;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 74rem; padding: 0 1.5rem 6rem; display: grid; column-gap: 4rem;
  grid-template-columns: 13.5rem minmax(0, 46rem);
  background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word;
}
header { grid-column: 2; padding: 4rem 0 1rem; }
nav { grid-column: 1; grid-row: 1 / span 3; position: sticky; top: 0; align-self: start; max-height: 100vh;
  overflow-y: auto; padding: 4.4rem 0 2rem; font-size: .875rem; line-height: 1.45; scrollbar-width: thin; }
main { grid-column: 2; }
a { color: var(--link); text-decoration: none; }
p a, dt a, dd a { text-decoration: underline 1px color-mix(in srgb, currentColor 40%, transparent); text-underline-offset: .2em; }
a:hover { text-decoration: underline; text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 4.5rem 0 .75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.125rem; line-height: 1.35; margin: 2.25rem 0 .5rem; }
h3 a, h3 a:hover { color: inherit; }
h4 { font-size: .8125rem; font-weight: 600; color: var(--quiet); margin: 1.5rem 0 .25rem; }
p { margin: .5rem 0 .75rem; }
.lead { font-size: 1.125rem; }
.quiet, .who, .common, .name, .optional, .hint { color: var(--quiet); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
pre { background: var(--shade); border-radius: 6px; padding: .85rem 1rem; overflow-x: auto; line-height: 1.5; }
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
.guide h2 { font-size: 1.125rem; letter-spacing: 0; margin: 2.5rem 0 .5rem; padding: 0; border: 0; }
.entry { border-top: 1px solid var(--line); margin-top: 2.5rem; }
h2 + p + .entry { border-top: 0; margin-top: 0; }
.route { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .6rem; background: var(--shade); border-radius: 6px; padding: .45rem .85rem; }
.route code { font-size: .9375rem; min-width: 0; }
.route .name { margin-left: auto; font-size: .8125rem; }
.method { font-size: .75rem; font-weight: 700; letter-spacing: .04em; }
.get { color: var(--get); } .post { color: var(--post); } .put, .patch { color: var(--put); } .delete { color: var(--delete); }
dl { margin: 0; }
dd { margin: 0; }
dl > div { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; padding: .35rem 0; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
dl > div:target { background: var(--shade); box-shadow: -.5rem 0 var(--shade), .5rem 0 var(--shade); }
dd { font-size: .9375rem; }
dd dl { margin: .35rem 0 0; border-left: 2px solid var(--line); padding-left: .85rem; }
dd dl > div { grid-template-columns: 9rem minmax(0, 1fr); }
dl.errors > div { grid-template-columns: 15rem minmax(0, 1fr); }
.meaning { display: block; color: var(--quiet); font-size: .875rem; }
.optional { font-size: .8125rem; }
.errors dd, .common, .who { font-size: .875rem; }
.status { font-variant-numeric: tabular-nums; color: var(--quiet); font-size: .8125rem; }
.common a { white-space: nowrap; }
nav p { margin: 0; font-weight: 600; }
nav summary { font-weight: 600; cursor: pointer; }
nav ul { list-style: none; margin: .15rem 0 .9rem; padding: 0; }
nav li { padding: .1rem 0; }
nav li a { color: var(--quiet); }
nav a[aria-current] { color: var(--ink); font-weight: 600; }
nav ul ul { margin: .15rem 0 .5rem; padding-left: .75rem; border-left: 2px solid var(--line); }
.index dd { font-size: .8125rem; }
h2 a, h2 a:hover { color: inherit; }
@media (min-width: 56.01rem) { nav summary { display: none; } }
@media (max-width: 56rem) {
  body { display: block; padding: 0 1.1rem 4rem; }
  header { padding: 2rem 0 .5rem; }
  nav { position: static; max-height: none; padding: 0; }
  nav .groups { columns: 2; column-gap: 1.5rem; margin-top: 1rem; }
  nav .groups > div { break-inside: avoid; }
  h2 { margin-top: 3rem; }
}
@media (max-width: 36rem) {
  dl > div, dd dl > div, dl.errors > div { display: block; padding: .5rem 0; }
  .route .name { margin-left: 0; flex-basis: 100%; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --quiet: #444; --line: #ccc; --shade: #f4f4f4; --link: #000; }
  body { display: block; max-width: none; font-size: 10pt; }
  nav, .skip { display: none; }
  dl > div, pre { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
}
`;
