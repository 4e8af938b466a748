// @module-tag random
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { iconNames } from '@signoff/render'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '#test/support/any-character.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'
import { iconFile } from './drawing.ts'
import { glyphOf } from './glyphs.ts'
import { type IconDrawing, iconUrl } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const linkedIn: IconDrawing = {
  name: 'linkedin-in',
  size: 24,
  color: '#ffffff',
  backgroundColor: '#0a66c2',
  shape: 'circle',
}
const path = (change: Partial<IconDrawing> = {}) => iconUrl('', { ...linkedIn, ...change })
const get = (address: string) => app.get(address, { key: null })

interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue and alpha, at a share of the width and height. */
  at(x: number, y: number): number[]
}

async function picture(address: string): Promise<Picture> {
  const { status, bytes } = await get(address)
  expect(status, address).toBe(200)
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  expect(channels).toBe(4)
  return {
    width,
    height,
    at(x, y) {
      const pixel =
        Math.min(width - 1, Math.floor(x * width)) + Math.min(height - 1, Math.floor(y * height)) * width
      return [...data.subarray(4 * pixel, 4 * pixel + 4)]
    },
  }
}

const transparent = 0
const blue = [10, 102, 194, 255]
const white = [255, 255, 255, 255]

describe('an icon', () => {
  it('has a short address that describes it', () => {
    expect(path()).toMatch(/^\/icons\/linkedin-in-24-ffffff-0a66c2-c-[0-9a-f]{8}\.png$/)
    expect(path({ backgroundColor: null })).toMatch(/^\/icons\/linkedin-in-24-ffffff-[0-9a-f]{8}\.png$/)
    expect(iconUrl('https://sign.example.com', linkedIn)).toBe(`https://sign.example.com${path()}`)
  })

  it('has the same address for equivalent inputs, and another one for each difference', () => {
    expect(path({ color: '#FFFFFF', size: 24.4 })).toBe(path())
    expect(path({ backgroundColor: null, shape: 'square' })).toBe(path({ backgroundColor: null }))
    expect(path({ size: 0 })).toBe(path({ size: 1 }))
    expect(path({ size: 2000 })).toBe(path({ size: 512 }))
    const all = [
      {},
      { size: 25 },
      { color: '#fffffe' },
      { backgroundColor: '#0a66c3' },
      { shape: 'square' as const },
    ]
    expect(new Set(all.map(path)).size).toBe(all.length)
  })

  it('keeps its address, because sent mails contain it (after a change, the old address must work too)', () => {
    expect(path()).toBe('/icons/linkedin-in-24-ffffff-0a66c2-c-20e07308.png')
    const expected = JSON.parse(readFileSync(join(import.meta.dirname, 'fingerprints.json'), 'utf8'))
    const now = iconNames.filter(glyphOf).map(name => [name, glyphOf(name)?.fingerprint])
    expect(Object.fromEntries(now)).toEqual(expected)
  })

  it('must have a known name and a colour of six digits', () => {
    expect(() => path({ name: 'no-such-icon' })).toThrow('not an icon')
    expect(() => path({ name: '../package' })).toThrow('not an icon')
    expect(() => path({ name: 'home' })).toThrow('not an icon') // an old alias of `house` in Font Awesome
    expect(() => path({ color: 'red' })).toThrow('not a colour')
  })

  it('has twice the pixels of its size, at 96 dots per inch', async () => {
    for (const size of [1, 16, 24, 33, 512]) {
      const { bytes } = await get(path({ size }))
      const { width, height, density, format } = await sharp(bytes).metadata()
      expect({ width, height, density, format }).toEqual({
        width: 2 * size,
        height: 2 * size,
        density: 96,
        format: 'png',
      })
    }
  })

  it('can have a disc as background', async () => {
    const { at } = await picture(path())
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      expect(at(x, y)[3]).toBe(transparent)
    for (const [x, y] of [
      [0.5, 0.06],
      [0.06, 0.5],
      [0.94, 0.5],
      [0.5, 0.94],
    ] as const)
      expect(at(x, y)).toEqual(blue)
    expect(at(0.26, 0.6)).toEqual(white) // the i
  })

  it('can have a square as background, with or without round corners', async () => {
    const square = await picture(path({ shape: 'square' }))
    expect([square.at(0, 0), square.at(1, 1)]).toEqual([blue, blue])
    const rounded = await picture(path({ shape: 'rounded' }))
    expect(rounded.at(0, 0)[3]).toBe(transparent)
    expect([rounded.at(0.3, 0), rounded.at(0, 0.7), rounded.at(0.1, 0.1)]).toEqual([blue, blue, blue])
  })

  it('fills its box without a background, and three fifths of the box with one', async () => {
    for (const name of iconNames.filter(glyphOf)) {
      const alone = await extent(path({ name, size: 50, color: '#cc0000', backgroundColor: null }))
      expect(Math.max(alone.width, alone.height), name).toBe(100)
      const onDisc = await extent(path({ name, size: 50, color: '#cc0000', backgroundColor: '#000000' }))
      expect(Math.abs(Math.max(onDisc.width, onDisc.height) - 60), name).toBeLessThanOrEqual(2)
      for (const { left, right, top, bottom } of [alone, onDisc]) {
        expect(Math.abs(left - right), `${name} is in the middle`).toBeLessThanOrEqual(2)
        expect(Math.abs(top - bottom), `${name} is in the middle`).toBeLessThanOrEqual(2)
      }
    }
  })

  it('is drawn once for simultaneous requests', async () => {
    const file = path({ color: '#abcdef' }).replace('/icons/', '')
    const files = await Promise.all(Array.from({ length: 20 }, () => iconFile(file)))
    expect(new Set(files).size).toBe(1)
    expect(await iconFile(file)).toBe(files[0])
  })

  it('can be cached for ever, and shown on any page', async () => {
    const { headers, text } = await get(path())
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(text).not.toBe('')
    const revalidated = await app.get(path(), { key: null, headers: { 'if-none-match': headers.etag! } })
    expect([revalidated.status, revalidated.text]).toEqual([304, ''])
    const head = await app.call('HEAD', path(), { key: null })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      headers['content-length'],
    ])
  })
})

/** The bounding box of the red pixels, as distances from the edges and as a size. */
async function extent(address: string) {
  const { at, width } = await picture(address)
  const steps = Array.from({ length: width }, (_, index) => (index + 0.5) / width)
  const isRed = ([red = 0, , , alpha = 0]: number[]) => red > 90 && alpha > 90
  const columns = steps.map(x => steps.some(y => isRed(at(x, y))))
  const rows = steps.map(y => steps.some(x => isRed(at(x, y))))
  const [left, top] = [columns.indexOf(true), rows.indexOf(true)]
  const [right, bottom] = [width - 1 - columns.lastIndexOf(true), width - 1 - rows.lastIndexOf(true)]
  return { left, right, top, bottom, width: width - left - right, height: width - top - bottom }
}

describe('every icon name of the renderer', () => {
  it('has a glyph', () => {
    expect(iconNames.length).toBeGreaterThan(60)
    expect(iconNames.filter(name => !glyphOf(name))).toEqual([])
  })
})

describe('an address that `iconUrl` did not make', () => {
  const forged = (file: string) => `${file}-${hash('sha256', file).slice(0, 8)}.png`

  it.each([
    '',
    'x',
    'linkedin-in.png',
    'linkedin-in-24-ffffff-0a66c2-c-00000000.png',
    'linkedin-in-25-ffffff-0a66c2-c-20e07308.png',
    'linkedin-in-24-ffffff-0a66c2-s-20e07308.png',
    'linkedin-in-24-FFFFFF-0a66c2-c-20e07308.png',
    'linkedin-in-024-ffffff-0a66c2-c-20e07308.png',
    'linkedin-in-24-ffffff-0a66c2-c-20e07308.svg',
    'linkedin-in-24-ffffff-0a66c2-c-20e07308.png.png',
    'linkedin-in-24-ffffff-0a66c2-c-20e07308.png%00',
    '%2e%2e%2fpackage-24-ffffff-20e07308.png',
    'constructor-24-ffffff-20e07308.png',
    '__proto__-24-ffffff-20e07308.png',
    forged('no-such-icon-24-ffffff'),
    forged('linkedin-in-0-ffffff'),
    forged('linkedin-in-513-ffffff'),
    forged('linkedin-in-99999-ffffff'),
    `${'a-'.repeat(5_000)}24-ffffff-20e07308.png`,
  ])('is not found: %s', async file => {
    const { status, body } = await get(`/icons/${file}`)
    expect([status, body.error.type]).toEqual([404, 'not_found'])
  })

  it('is not found, for random texts', async () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('linkedin-in', 'phone', '24', 'ffffff', 'c', '20e07308', '-', '.png', '/', '..'),
    )
    const file = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('-').toWellFormed())
    const isSegment = (text: string) => !/^\.{0,2}$/.test(text) // clients resolve these: /icons/.. is /
    await fc.assert(
      fc.asyncProperty(file.filter(isSegment), async text => {
        const { status, body } = await get(`/icons/${encodeURIComponent(text)}`)
        expect([status, body.error.type]).toEqual([404, 'not_found'])
      }),
      { numRuns: runs(200) },
    )
  })
})
