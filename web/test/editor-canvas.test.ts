import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from '@signoff/render'
import { describe, expect, it } from 'vitest'
import {
  cardHooks,
  type Golden,
  goldenInputs,
  renderGolden,
  withIds,
} from '../../render/test/support/surroundings.ts'
import { designs } from '../../server/src/features/content/templates/designs/index.ts'
import { kitOf } from '../../server/src/features/content/templates/rules.ts'
import {
  sampleBrand,
  sampleFields,
  sampleLogo,
  samplePerson,
  sampleSurroundings,
} from '../../server/src/features/content/templates/samples.ts'
import { standardNumber } from '../src/editor/blocks/blocks.ts'
import type { PlaceholderMessages } from '../src/editor/blocks/descriptor.ts'
import { standardLineHeight } from '../src/editor/model/token-styles.ts'
import { type DrawingInputs, draw } from '../src/editor/rendering/draw.ts'
import { blockMarks } from '../src/editor/rendering/marks.ts'
import type { AnyBlock } from '../src/records/content/block.ts'
import { childrenOf, idOf, tokensOf } from '../src/records/content/block.ts'

/** All templates of the gallery, with the sample brand and person of their thumbnails. */
const templates = designs.map((design): readonly [string, DrawingInputs] => [
  design.id,
  {
    tree: withIds(design.build(kitOf(sampleBrand, sampleFields, sampleLogo))),
    person: samplePerson('https://sign.example/', design.category),
    surroundings: sampleSurroundings('https://sign.example', 'https://sign.example/'),
    hooks: cardHooks,
  },
])

const folder = join(import.meta.dirname, '../../render/test/golden')
const withoutMarks = (html: string): string => html.replaceAll(/<!--.*?-->/g, '')
const placeholders: PlaceholderMessages = {
  dropHere: 'Drop blocks here',
  emptyText: 'Empty text',
  banner: 'A banner appears here',
  fieldLabel: id => id,
}

const idsOf = (block: AnyBlock): readonly string[] =>
  childrenOf(block).flatMap(child => [idOf(child), ...idsOf(child)])

describe('the canvas of the editor', () => {
  it('has the HTML that is installed, for every golden file', () => {
    const files = globSync('**/*.json', { cwd: folder })
    let whole = 0
    for (const file of files) {
      const golden = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden
      const { html, text } = renderGolden(golden)
      const { person } = golden
      const inputs = { ...goldenInputs(golden, { mark: blockMarks }), person }
      const canvas = draw(inputs)
      expect({ file, html: withoutMarks(canvas.html), text: canvas.text }).toEqual({ file, html, text })
      expect(canvas.length).toBe(html.length)
      // Placeholders stand only for blocks that a mail leaves out.
      if (!idsOf(inputs.tree).every(id => canvas.html.includes(blockMarks(id)[0]))) continue
      whole += 1
      expect(withoutMarks(draw({ ...inputs, placeholders }).html)).toBe(html)
    }
    expect(whole).toBeGreaterThan(files.length / 2)
  })

  it('has the HTML that is installed, for every template', () => {
    for (const [id, inputs] of templates) {
      const { html, text } = compile(inputs.tree, inputs.surroundings).render(inputs.person, inputs.hooks)
      const surroundings = { ...inputs.surroundings, mark: blockMarks }
      const canvas = draw({ ...inputs, surroundings })
      expect({ id, html: withoutMarks(canvas.html), text: canvas.text }).toEqual({ id, html, text })
      // Placeholders stand only for the place of a campaign's banner.
      const drawn = draw({ ...inputs, surroundings, placeholders }).html
      if (!JSON.stringify(inputs.tree).includes('"marketing"')) expect(withoutMarks(drawn)).toBe(html)
      for (const block of idsOf(inputs.tree))
        expect({ id, drawn: drawn.includes(blockMarks(block)[0]) }).toEqual({ id, drawn: true })
    }
  })
})

describe('the numbers in empty fields of the inspector', () => {
  it('are those that the renderer uses', () => {
    const numbers = ['gap', 'iconSize', 'size', 'thickness', 'borderRadius']
    let filled = 0
    const withStandards = (block: AnyBlock): AnyBlock => {
      const own = block as unknown as Readonly<Record<string, unknown>>
      const parts = numbers.flatMap(name => {
        const number = standardNumber(block, name)
        const isSet =
          own[name] !== undefined || (name === 'gap' && block.blockStyle && 'gap' in block.blockStyle)
        return number === undefined || isSet ? [] : [[name, number] as const]
      })
      filled += parts.length
      const { gap, ...rest } = Object.fromEntries(parts)
      const tokens = tokensOf(block)?.map(token => {
        const { fontSize, lineHeight } = token.textStyle ?? {}
        if (lineHeight !== undefined) return token
        return { ...token, textStyle: { ...token.textStyle, lineHeight: standardLineHeight(fontSize) } }
      })
      return {
        ...block,
        ...rest,
        ...(tokens && { tokens }),
        ...(gap !== undefined && { blockStyle: { ...block.blockStyle, gap } }),
        ...(childrenOf(block).length > 0 && { children: childrenOf(block).map(withStandards) }),
      } as AnyBlock
    }
    const same = (inputs: DrawingInputs) => {
      const tree = withStandards(inputs.tree) as DrawingInputs['tree']
      expect(draw({ ...inputs, tree }).html).toBe(draw(inputs).html)
    }
    for (const [, inputs] of templates) same(inputs)
    for (const file of globSync('**/*.json', { cwd: folder })) {
      const golden = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden
      same({ ...goldenInputs(golden, { mark: blockMarks }), person: golden.person })
    }
    expect(filled).toBeGreaterThan(50)
  })
})
