import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { caniemail } from 'caniemail'
import { describe, expect, it } from 'vitest'
import { enums, validateContent } from '../src/index.ts'
import { faults } from './support/assertions.ts'
import { type Golden, renderGolden } from './support/surroundings.ts'

const folder = join(import.meta.dirname, 'golden')
const names = globSync('**/*.json', { cwd: folder })
  .map(file => file.replace(/\.json$/, ''))
  .sort()

/** Features that a client does not support, and that are used because other clients need them. */
const accepted: readonly (readonly [feature: RegExp, client: RegExp, why: string])[] = [
  [/role attribute/, /windows-mail/, 'screen readers elsewhere need it'],
  [/border-radius/, /outlook\.windows|windows-mail/, 'corners are square in Word'],
  [/border-spacing/, /outlook\./, 'read from the attribute there'],
  [/min-width/, /outlook\.windows|windows-mail/, 'pictures have the width of their attribute in Word'],
  [/word-break/, /windows-mail/, 'a very long word makes it wide there'],
]

describe('golden files', () => {
  it('exist for every block, for 15 rules and for 12 example signatures', () => {
    const blocks = names
      .filter(name => name.startsWith('blocks/'))
      .map(name => readFileSync(join(folder, `${name}.json`), 'utf8'))
    for (const type of enums.blockType) expect(blocks.join('')).toContain(`"type": "${type}"`)
    expect(names.filter(name => name.startsWith('rules/')).length).toBeGreaterThanOrEqual(15)
    expect(names.filter(name => name.startsWith('signatures/')).length).toBeGreaterThanOrEqual(12)
  })

  describe.each(names)('%s', name => {
    const golden = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Golden
    const { html, text, warnings } = renderGolden(golden)

    it('is valid content', () => {
      expect(validateContent(golden.content, { field: 'content' }).problems).toEqual([])
      if (golden.campaign)
        expect(validateContent(golden.campaign, { field: 'content', isCampaign: true }).problems).toEqual([])
    })

    it('renders as it always has', async () => {
      await expect(html.replaceAll('<tr>', '\n<tr>')).toMatchFileSnapshot(join(folder, `${name}.html`))
      await expect(text).toMatchFileSnapshot(join(folder, `${name}.txt`))
      expect(warnings).toMatchSnapshot()
    })

    it('uses only what mail clients support', async () => {
      expect(html.length).toBeLessThanOrEqual(10_000)
      expect(await faults(html)).toEqual([])
      if (html === '') return
      const { issues } = caniemail({ clients: ['gmail.*', 'outlook.*', 'apple-mail.*'], html })
      const unsupported = [...issues.errors].flatMap(([client, list]) =>
        list
          .map(({ title }) => title)
          .filter(
            title => !accepted.some(([feature, clients]) => feature.test(title) && clients.test(client)),
          )
          .map(title => `${client}: ${title}`),
      )
      expect(unsupported).toEqual([])
    })
  })
})
