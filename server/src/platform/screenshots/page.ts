// A signature as a mail client shows it: a fragment in a page of somebody else's, below nothing.
//
// Simulated: the client's background, text colour, link colour and font, where the signature sets none of its own; the
// width; phones that shrink what is wider than the screen. In the dark a signature keeps the colours that it sets, as in
// most clients. Not simulated: clients that repaint (some lighten dark text), Word's way with tables, blocked pictures.

export const themes = {
  light: { background: '#ffffff', text: '#222222', link: '#1155cc' },
  dark: { background: '#1f1f1f', text: '#e8eaed', link: '#8ab4f8' },
} as const
export type Theme = keyof typeof themes

/** In CSS pixels. */
export const widths = { desktop: 700, phone: 375 } as const
export type Width = keyof typeof widths

// Far more than any signature; a picture of the largest takes 50 MB while it is drawn.
const largest = { width: 1_500, height: 2_000 }

export function pageOf(html: string, theme: Theme): string {
  const { background, text, link } = themes[theme]
  return `<!doctype html><html><head><meta charset="utf-8"><style>
html{color-scheme:${theme};background:${background}}
body{margin:0;color:${text};font:13px Arial,sans-serif}
a{color:${link}}
main{display:inline-block;vertical-align:top;box-sizing:border-box;min-width:100vw;max-width:${largest.width}px;max-height:${largest.height}px;position:relative;overflow:hidden;padding:12px}
</style></head><body><main>${html}</main></body></html>`
}

/** What the browser itself enforces: pictures by HTTP and nothing else; no script, no way to another page (`sandbox`). */
export const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src http: https:"
