// The dashboard: every language says everything, in words that people use.
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

/** What a translation would say. Beside each: what a person says. */
const stiff = {
  'Whole history': 'View all activity',
  'All numbers': 'View analytics',
  'Last changes': 'Recent activity',
  'nothing before': 'No earlier data',
  'taken over': 'imported',
  'no place here': 'weren’t imported',
  'by themselves.': 'automatically',
  'Into the mailboxes': 'Deliver to mailboxes',
  'gets it by itself': 'is updated automatically',
  'in place': 'installed',
  'any more"': 'Replaced',
  'words of the other system': 'error details',
  'mended the cause': 'fixed the cause',
  'To the people': 'Go to People',
  'ask for it': 'Manual',
  'Its mailboxes': 'View mailboxes',
  'Below each other': 'Stacked',
  'Texts inside': 'Text style',
  'Space inside': 'Padding',
  'Space outside': 'Margin',
  'Round corners': 'Corner radius',
  'Leads to': 'Link',
  'Text without a value': 'Fallback text',
  'of the brand"': 'Brand colors',
  'Name in the outline': 'Layer name',
  'Only decoration': 'Decorative',
  'finds no problem': 'No issues found',
  'Nobody would see anything': 'This signature is empty',
  'another signature for now': 'Recipients still get another signature',
  'Links as a list': 'Download links (CSV)',
  'By hand': 'Manually',
  'Paste an existing': 'Import a signature',
  'As you pasted it': 'Original',
  'Every part was read': 'Everything was imported',
  'changed since': 'unpublished changes',
  'How you call it': 'Display name',
  'Bring people': 'Import people',
  'Write signatures"': 'Deliver signatures',
} as const

const british =
  /colour|centre\b|centred|recognis|organis|authoris|customis|grey|labelled|behaviour|neighbour|catalogue/i

describe('the texts of the dashboard', () => {
  it('are found', () => {
    expect(catalogues.length).toBeGreaterThan(15)
  })

  it.each(catalogues)('%s has the same keys in German', file => {
    const english = new Map(flat(read(file)))
    const german = new Map(flat(read(file.replace('.en.json', '.de.json'))))
    expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  it.each(catalogues)('%s has no phrase of a translation, and American spelling', file => {
    const texts = flat(read(file)).map(([, text]) => `"${text}"`)
    const isStiff = (text: string) => Object.keys(stiff).some(phrase => text.includes(phrase))
    expect(texts.filter(text => isStiff(text) || british.test(text))).toEqual([])
  })
})
