// Follows "Add a block" of CONTRIBUTING.md in a copy of the renderer and the dashboard, with a made-up block.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

const withLine = (text: string, before: string, line: string): string => {
  expect(text.split(before)).toHaveLength(2)
  return text.replace(before, `${line}\n${before}`)
}

const content = { type: 'stack', id: 'root', children: [{ type: 'rating', id: 'stars', stars: 3 }] }

/** What the guide asks for, file by file. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  'render/src/blocks/rating.ts': () => `
    import { type Static, Type } from 'typebox'
    import { blockSchema, Color, OneOf } from '../fields.ts'
    import { constant, drawNothing } from '../piece.ts'
    import { boxOf } from '../style/style.ts'
    import type { BlockType } from '../types.ts'

    const RatingSchema = blockSchema('rating', {
      stars: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
      mood: Type.Optional(OneOf(['calm', 'loud'])),
      color: Type.Optional(Color()),
    })
    type Rating = Static<typeof RatingSchema>

    export const ratingBlock: BlockType<Rating> = {
      schema: RatingSchema,
      compile: ({ stars = 0, blockStyle }) => ({
        box: boxOf(blockStyle),
        bind: stars > 0 ? constant('*'.repeat(stars), 'rated ' + stars) : drawNothing,
      }),
      styles: ['align'],
    }`,
  'render/src/blocks/index.ts': text =>
    withLine(
      withLine(text, '  marketing: marketingBlock,', '  rating: ratingBlock,'),
      "import { textBlock } from './text.ts'",
      "import { ratingBlock } from './rating.ts'",
    ),
  'web/src/editor/blocks/rating.ts': () => `
    import { newId } from '#records/content/ids.ts'

    export const rating = {
      label: { en: 'Rating', de: 'Bewertung' },
      icon: 'star',
      offers: [
        {
          label: { en: 'Stars', de: 'Sterne' },
          icon: 'star',
          make: () => ({ type: 'rating', id: newId(), stars: 5 }),
        },
      ],
      nameOf: ({ stars }) => stars + ' stars',
      placeholder: block => ({ ...block, stars: 1 }),
      standards: () => ({ stars: 0 }),
      names: { stars: { en: 'Stars', de: 'Sterne' } },
      contrast: { color: () => [{ position: 'content', other: '#ffffff', minimum: 3 }] },
    }`,
  'web/src/editor/blocks/blocks.ts': text =>
    withLine(
      withLine(text, 'import { socialList, socialListItem }', "import { rating } from './rating.ts'"),
      '  marketing,\n}',
      '  rating,',
    ),
  'render/test/golden/blocks/rating.json': () => JSON.stringify({ person: {}, content }),
}

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'signoff-new-block-'))
  for (const part of ['render', 'web'])
    for (const name of ['package.json', 'src'])
      await cp(join(root, part, name), join(copy, part, name), { recursive: true })
  const packages = join(copy, 'node_modules')
  await mkdir(join(packages, '@signoff'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@signoff') await symlink(join(root, 'node_modules', name), join(packages, name))
  await symlink(join(copy, 'render'), join(packages, '@signoff/render'))
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(copy, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, edit(await readFile(path, 'utf8').catch(() => '')))
  }
})
afterAll(() => rm(copy, { recursive: true, force: true }))

const load = <Path extends string>(path: Path) => import(/* @vite-ignore */ join(copy, path))

describe('a made-up block, by the guide of CONTRIBUTING.md', () => {
  it('is at most five files, which the guide names', async () => {
    const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
    const [, section = ''] = guide.split('## Add a block\n')
    const named = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d\. \*\*`([^`]+)`\*\*/gm)]
    const files = named.map(([, file = '']) => file.replace('divider', 'rating'))
    expect(files).toEqual(Object.keys(edits))
    expect(named.length).toBeLessThanOrEqual(5)
  })

  it('is part of the schema, and is rendered', async () => {
    const { compile, contentSchema, enums, usesStyle, validateContent } = await load('render/src/index.ts')
    expect(enums.stackChild).toContain('rating')
    expect(contentSchema.$defs.rating.properties.stars.maximum).toBe(5)
    const fields = (stars: number) =>
      validateContent(
        { ...content, children: [{ type: 'rating', stars }] },
        { field: 'content' },
      ).problems.map(({ field }: { readonly field: string }) => field)
    expect([fields(3), fields(9)]).toEqual([[], ['content.children[0].stars']])
    const { html, text } = compile(content, { assetUrl: String, iconUrl: String }).render({})
    expect([html.includes('***'), text]).toEqual([true, 'rated 3'])
    const [block] = content.children
    expect([usesStyle(block, 'align'), usesStyle(block, 'gap')]).toEqual([true, false])
  })

  it('is offered, named and inspected', async () => {
    const blocks = await load('web/src/editor/blocks/blocks.ts')
    const { EditorStore } = await load('web/src/editor/model/store.ts')
    const { propertiesOf, stylePropertiesOf } = await load('web/src/editor/inspector/properties.ts')
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
    const offer = blocks
      .offeredBlocks('signature')
      .find(({ label }: { readonly label: { readonly en: string } }) => label.en === 'Stars')
    const made = offer.make({})
    const store = new EditorStore('signature', { type: 'stack', id: 'root' })
    expect(store.change((tree: object) => ({ ...tree, children: [made] }))).toEqual([])
    expect(store.getState().tree.children).toMatchObject([{ type: 'rating', stars: 5 }])
    expect([blocks.blockLabel(made, 'en'), blocks.blockLabel(made, 'de')]).toEqual(['Rating', 'Bewertung'])
    expect([blocks.blockIcon(made), blocks.ownName('stars', 'de')]).toEqual(['star', 'Sterne'])
    expect(names(propertiesOf(made, false))).toEqual(['stars', 'mood', 'color'])
    expect(names(stylePropertiesOf(made))).toContain('align')
    expect(blocks.standardNumber(made, 'stars')).toBe(0)
    expect(blocks.contrastChecks(undefined, made, 'color')).toHaveLength(1)
  })

  it('is on the canvas, also with nothing to show', async () => {
    const { draw } = await load('web/src/editor/rendering/draw.ts')
    const { blockMarks } = await load('web/src/editor/rendering/marks.ts')
    const surroundings = { assetUrl: String, iconUrl: String, mark: blockMarks }
    const messages = { dropHere: '', emptyText: '', banner: '', fieldLabel: () => undefined }
    const empty = { ...content, children: [{ type: 'rating', id: 'stars' }] }
    const { html } = draw({ tree: empty, person: {}, surroundings, hooks: {}, placeholders: messages })
    expect(html).toContain(`${blockMarks('stars')[0]}*`)
  })
})
