/** CSS of the guides, after the shared style. */
export const guideStyle = `
header { display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; padding: 0.8rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); font-size: 0.95rem }
header a + a:not(.reference)::before, header span::before { content: "/"; color: var(--faint); margin-right: 0.5rem }
header a:first-child { font-weight: 700; color: var(--ink) }
header span { color: var(--faint) }
header .reference { margin-left: auto }
a { color: var(--accent); text-decoration: none }
a:hover, a:focus-visible { text-decoration: underline }
.overview { max-width: 44rem; margin: 0 auto; padding: 3rem 1rem }
.overview h2 { margin: 2rem 0 0; font-size: 1.05rem }
.overview .links { margin-top: 0.7rem }
.guide { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1rem 4rem }
article { min-width: 0; overflow-wrap: break-word }
h2 { margin: 2.6rem 0 0.6rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -0.01em }
h3 { margin: 2rem 0 0.5rem; font-size: 1.1rem }
p, ul, ol, .table, .code { margin: 0.8rem 0 0 }
h1 + p { color: var(--faint); font-size: 1.1rem }
ul, ol { padding-left: 1.4rem }
li { margin-top: 0.3rem }
code { font: 0.87em ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; background: var(--paper); border: 1px solid var(--line); border-radius: 5px; padding: 0.05em 0.3em }
article code { background: var(--card) }
main.overview p { margin-top: 0.8rem }
.code { position: relative }
.copy { position: absolute; top: 0.4rem; right: 0.4rem; padding: 0.15rem 0.6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--faint); font: inherit; font-size: 0.8rem; cursor: pointer }
.copy:hover, .copy:focus-visible { color: var(--ink); border-color: var(--faint) }
pre { margin: 0; padding: 0.9rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.9rem; line-height: 1.45 }
pre code { padding: 0; border: 0; background: none }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 10px; background: #fff }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--card) }
table { width: 100%; border-collapse: collapse; font-size: 0.93rem }
th, td { min-width: 6rem; padding: 0.5rem 0.8rem; text-align: left; vertical-align: top; overflow-wrap: normal }
tr + tr td, tbody td { border-top: 1px solid var(--line) }
.contents { display: none; font-size: 0.9rem }
.contents ul { position: sticky; top: 2rem; padding: 0 0 0 1rem; list-style: none; border-left: 2px solid var(--line) }
@media (max-width: 40rem) {
  header .here { display: none }
  table, tbody, tr, td { display: block }
  thead { display: none }
  tbody td { padding: 0.15rem 0.8rem; border: 0; overflow-wrap: anywhere }
  tr { padding: 0.5rem 0 }
  tr + tr { border-top: 1px solid var(--line) }
  tr + tr td { border-top: 0 }
  td[data-label]:not([data-label=""]):not(:first-child)::before { content: attr(data-label) ": "; color: var(--faint) }
  td:first-child { font-weight: 700 }
}
@media (min-width: 70rem) {
  .guide { display: grid; grid-template-columns: 46rem minmax(0, 15rem); gap: 3rem; max-width: 64rem }
  .contents { display: block }
}
`
