// Compiles the texts at build time: the browser then needs no parser of ICU messages (15 kB compressed).
import { readFile } from 'node:fs/promises'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'

type Texts = { readonly [key: string]: string | Texts }

const compiled = (texts: Texts): object =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? compile(text) : compiled(text),
    ]),
  )

export const compiledTexts = (): Plugin => ({
  name: 'compiled-texts',
  enforce: 'pre',
  config: () => ({
    resolve: {
      alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }],
    },
  }),
  load: {
    filter: { id: /\/(?:texts|shell)\.[a-z]{2}\.json$/ },
    handler: async id => JSON.stringify(compiled(JSON.parse(await readFile(id, 'utf8')))),
  },
})
