// The dashboard: every language says everything.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const web = join(import.meta.dirname, '../../../web/src')

type Texts = { readonly [key: string]: string | Texts }

const read = (file: string): Texts => JSON.parse(readFileSync(join(web, file), 'utf8'))

/** `a.b` and its text. */
const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[path + key, text] as [string, string]] : flat(text, `${path}${key}.`),
  )

const catalogues = globSync(['texts/*.en.json', '{editor,{pages,records}/*}/texts.en.json'], { cwd: web })

describe('the texts of the dashboard', () => {
  it('are found', () => {
    expect(catalogues.length).toBeGreaterThan(15)
  })

  it.each(catalogues)('%s has the same keys in German', file => {
    const english = new Map(flat(read(file)))
    const german = new Map(flat(read(file.replace('.en.json', '.de.json'))))
    expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })
})
