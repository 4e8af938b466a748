import type { Content } from '@signoff/render'
import type { Asset } from '@signoff/sdk'
import { describe, expect, it } from 'vitest'
import { contrastChecks } from '../src/editor/blocks/blocks.ts'
import { foundIcons, withAddress } from '../src/editor/blocks/icon-names.ts'
import { type ContrastCheck, passesAll, safeColor } from '../src/editor/model/colors.ts'
import { surfaceOf, textChecks } from '../src/editor/model/contrast.ts'
import { placePicture, roundedCrop } from '../src/editor/model/pictures.ts'
import { EditorStore } from '../src/editor/model/store.ts'
import { blockOf } from '../src/editor/model/tree.ts'
import { altFromName } from '../src/records/assets/picker/alt-from-name.ts'
import { withReplacedAsset } from '../src/records/assets/replaced-asset.ts'
import { tokensOf } from '../src/records/content/block.ts'
import { cropBoxOf, viewOfBox } from '../src/ui/picture/crop-area.tsx'

const asset = { id: '0198c1f4-0000-7000-8000-000000000002', width: 600, height: 200 } as Asset
const oldId = '0198c1f4-0000-7000-8000-000000000001'

describe('the description of a picture', () => {
  it.each([
    ['company-logo_2x.png', 'Company logo'],
    ['Acme_Logo-final v3.svg', 'Acme Logo'],
    ['winter sale 1200x400.jpg', 'Winter sale'],
    ['IMG_2041.JPG', ''],
    ['Screenshot 2026-11-17.png', ''],
    ['image.png', ''],
  ])('begins with the words of the file name %s', (name, alt) => {
    expect(altFromName(name)).toBe(alt)
  })
})

describe('a replaced picture', () => {
  const tree = {
    type: 'stack',
    id: 'root',
    children: [
      {
        type: 'image',
        id: 'a',
        assetUuid: oldId.toUpperCase(),
        width: 100,
        height: 100,
        crop: { x: 0, y: 0, width: 0.5, height: 1 },
      },
      { type: 'image', id: 'b', assetUuid: oldId, width: 80, height: 80, shape: 'circle' },
      { type: 'text', id: 'c', tokens: [{ id: 't', value: 'Ada' }] },
    ],
  } as Content

  it('is not squeezed, and a circle stays a circle', () => {
    const after = withReplacedAsset(tree, oldId, asset)
    expect(after.children?.slice(0, 2)).toEqual([
      { type: 'image', id: 'a', assetUuid: asset.id, width: 100 },
      { type: 'image', id: 'b', assetUuid: asset.id, width: 80, height: 80, shape: 'circle' },
    ])
    expect(after.children?.[2]).toBe(tree.children?.[2])
    expect(withReplacedAsset(after, oldId, asset)).toBe(after)
  })

  it('goes after the selected block when the place of the drop is gone', () => {
    const store = new EditorStore('signature', tree)
    const spot = { position: { parentId: 'gone', index: 0 } }
    expect(placePicture(store, { spot }, asset, undefined)).toBe(true)
    expect(store.getState().tree.children?.at(-1)).toMatchObject({ assetUuid: asset.id, width: 320 })
    expect(store.getState().tree.children?.at(-1)).not.toHaveProperty('alt')
  })
})

describe('a crop', () => {
  it('opens again as it was, and ends inside the picture', () => {
    const crop = roundedCrop({ x: 1 / 3, y: 0.1, width: 2 / 3, height: 0.7 })
    if (!crop) throw new Error('a part')
    expect(crop.x + crop.width).toBeLessThanOrEqual(1)
    const { view, aspect } = viewOfBox(crop, asset)
    const again = cropBoxOf(view, asset, aspect)
    for (const side of ['x', 'y', 'width', 'height'] as const) expect(again[side]).toBeCloseTo(crop[side], 4)
    expect(roundedCrop({ x: 0, y: 0, width: 1, height: 1 })).toBeUndefined()
  })
})

describe('contrast', () => {
  const tree = {
    type: 'stack',
    id: 'root',
    children: [
      {
        type: 'stack',
        id: 'card',
        blockStyle: { backgroundColor: '#b54f2a' },
        children: [
          { type: 'text', id: 'name', tokens: [{ id: 't', value: 'Ada', textStyle: { color: '#d0a080' } }] },
        ],
      },
      { type: 'text', id: 'plain', tokens: [{ id: 'u', value: 'Hi' }] },
      {
        type: 'button',
        id: 'button',
        tokens: [{ id: 'v', value: 'Go' }],
        href: { text: 'https://a.example' },
      },
      { type: 'divider', id: 'line' },
    ],
  } as Content
  const block = (id: string) => {
    const match = blockOf(tree, id)
    if (!match) throw new Error(id)
    return match
  }
  const others = (checks: readonly ContrastCheck[]) => checks.map(({ place, other }) => [place, other])

  it('is measured on what stands behind the words', () => {
    const text = (id: string) =>
      others(textChecks(surfaceOf(tree, block(id)), block(id), tokensOf(block(id)) ?? []))
    expect(text('name')).toEqual([['background', '#b54f2a']])
    expect(text('plain')).toEqual([
      ['light', '#ffffff'],
      ['dark', '#1f1f1f'],
    ])
    expect(text('button')).toEqual([['background', '#1f5fbf']])
    expect(others(contrastChecks(surfaceOf(tree, block('card')), block('card'), 'backgroundColor'))).toEqual([
      ['content', '#d0a080'],
    ])
    expect(contrastChecks(surfaceOf(tree, block('line')), block('line'), 'color')).toEqual([])
  })

  it('has a safe colour: of the brand when one is near, else a shade', () => {
    const checks = textChecks(surfaceOf(tree, block('plain')), block('plain'), [])
    expect(safeColor('#ffb08a', checks, ['#b54f2a', '#ffff00'])).toBe('#b54f2a')
    const shade = safeColor('#7fd0ff', checks, [])
    expect(shade && passesAll(shade, checks)).toBe(true)
  })
})

describe('icons and networks', () => {
  it('are found by the beginning of their words', () => {
    const icons = [
      { id: 'phone' as const, label: 'Telefon', words: 'telefon, anrufen phone' },
      { id: 'x-twitter' as const, label: 'X', words: 'x x twitter' },
    ]
    expect(foundIcons(icons, 'Anr').map(({ id }) => id)).toEqual(['phone'])
    expect(foundIcons(icons, 'twit').map(({ id }) => id)).toEqual(['x-twitter'])
    expect(foundIcons(icons, 'hone')).toEqual([])
  })

  it('follow a new address', () => {
    const item = {
      type: 'socialListItem' as const,
      name: 'globe' as const,
      href: { text: 'https://a.example' },
    }
    expect(withAddress(item, 'de.linkedin.com/in/ada')).toEqual({
      name: 'linkedin-in',
      href: { text: 'de.linkedin.com/in/ada' },
    })
    expect(withAddress(item, 'https://acme.example').name).toBe('globe')
  })
})
