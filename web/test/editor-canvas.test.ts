import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Golden, goldenInputs, renderGolden } from '../../render/test/support/surroundings.ts'
import { blockMarks } from '../src/pages/editor/canvas/marks.ts'
import type { AnyBlock } from '../src/pages/editor/model/block.ts'
import { childrenOf, idOf } from '../src/pages/editor/model/block.ts'
import { draw } from '../src/pages/editor/surroundings/draw.ts'
import type { PlaceholderTexts } from '../src/pages/editor/surroundings/placeholders.ts'

const folder = join(import.meta.dirname, '../../render/test/golden')
const withoutMarks = (html: string): string => html.replaceAll(/<!--.*?-->/g, '')
const placeholders: PlaceholderTexts = {
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
      expect(canvas.bytes).toBe(Buffer.byteLength(html))
      // Placeholders stand only for blocks that a mail leaves out.
      if (!idsOf(inputs.tree).every(id => canvas.html.includes(blockMarks(id)[0]))) continue
      whole += 1
      expect(withoutMarks(draw({ ...inputs, placeholders }).html)).toBe(html)
    }
    expect(whole).toBeGreaterThan(files.length / 2)
  })
})
