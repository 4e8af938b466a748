// @module-tag random
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { fetchFile, frames, noise, pixels, solidPicture, upload } from '#test/support/pictures.ts'
import { runs } from '#test/support/runs.ts'
import { findAssets, type ImageBox, renditionOf, type StoredAsset } from '../index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

async function storeAsset(bytes: Buffer): Promise<StoredAsset> {
  const { body } = await upload(app, bytes)
  const [asset] = await findAssets(app.db, app.id, app.config.publicUrl, [body.data.id])
  return asset!
}

/** A picture with four quarters: red, green / blue, white. */
async function quarters(width: number, height: number): Promise<Buffer> {
  const quarter = (colour: string) =>
    solidPicture(width / 2, height / 2, colour)
      .png()
      .toBuffer()
  return solidPicture(width, height, '#ffffff')
    .composite([
      { input: await quarter('#ff0000'), left: 0, top: 0 },
      { input: await quarter('#00ff00'), left: width / 2, top: 0 },
      { input: await quarter('#0000ff'), left: 0, top: height / 2 },
    ])
    .png()
    .toBuffer()
}

async function fetchRendition(asset: StoredAsset, box: ImageBox) {
  const rendition = renditionOf(asset, box)
  const file = await fetchFile(app, rendition.url)
  expect(file.status, rendition.url).toBe(200)
  expect(file.headers['content-type']).toBe(rendition.content_type)
  const metadata = await sharp(file.bytes).metadata()
  // The size and type that renditionOf() computes without the file must match the file.
  expect([metadata.width, metadata.height, metadata.mediaType]).toEqual([
    rendition.width,
    rendition.height,
    rendition.content_type,
  ])
  return { rendition, metadata, bytes: file.bytes, pixels: await pixels(file.bytes) }
}

describe('a rendition', () => {
  it('has twice the pixels of its display size, 96 DPI, and the format of the picture', async () => {
    const png = await storeAsset(await quarters(800, 400))
    const { rendition, metadata } = await fetchRendition(png, { width: 100 })
    expect(rendition).toMatchObject({ width: 200, height: 100, shown_width: 100, shown_height: 50 })
    expect([metadata.format, metadata.density]).toEqual(['png', 96])
    const jpeg = await storeAsset(await noise(300, 200).jpeg().toBuffer())
    const photo = await fetchRendition(jpeg, { height: 40 })
    expect(photo.rendition).toMatchObject({ width: 120, height: 80, shown_width: 60, shown_height: 40 })
    expect([photo.metadata.format, photo.metadata.density]).toEqual(['jpeg', 96])
    expect((await fetchRendition(png, { width: 50, scale: 3 })).rendition).toMatchObject({
      width: 150,
      height: 75,
    })
  })

  it('never has more pixels than the picture', async () => {
    const small = await storeAsset(await quarters(150, 100))
    const { rendition } = await fetchRendition(small, { width: 120 })
    expect(rendition).toMatchObject({ width: 150, height: 100, shown_width: 120, shown_height: 80 })
    expect(rendition.url).toBe(small.url) // the original is used unchanged
    expect((await fetchRendition(small, {})).rendition.url).toBe(small.url)
    const cropped = await fetchRendition(small, { width: 100, height: 100 })
    expect(cropped.rendition).toMatchObject({ width: 100, height: 100 })
  })

  it('is cropped at the center when the box has another aspect ratio', async () => {
    const wide = await storeAsset(await quarters(800, 400))
    const { pixels: cropped } = await fetchRendition(wide, { width: 50, height: 50 })
    expect([cropped.width, cropped.height]).toEqual([100, 100])
    expect(cropped.at(2, 2)).toEqual([255, 0, 0, 255])
    expect(cropped.at(97, 2)).toEqual([0, 255, 0, 255])
    expect(cropped.at(2, 97)).toEqual([0, 0, 255, 255])
    expect(cropped.at(97, 97)).toEqual([255, 255, 255, 255])
  })

  it('is not cropped because of a rounded pixel', async () => {
    // A border of one pixel that cropping would remove.
    const inner = await solidPicture(998, 331, '#ffffff').png().toBuffer()
    const framed = await solidPicture(1000, 333, '#000000')
      .composite([{ input: inner }])
      .png()
      .toBuffer()
    const asset = await storeAsset(framed)
    const { pixels: small, rendition } = await fetchRendition(asset, { width: 500, scale: 1 })
    expect(rendition).toMatchObject({ width: 500, height: 167 })
    for (const [x, y] of [
      [250, 0],
      [250, 166],
      [0, 80],
      [499, 80],
    ] as const)
      expect(small.at(x, y)[0], `${x},${y}`).toBeLessThan(200)
  })

  it('is a circle with transparent corners, as PNG', async () => {
    const photo = await storeAsset(await noise(400, 300).jpeg().toBuffer())
    const { pixels: circle, rendition } = await fetchRendition(photo, { width: 60, shape: 'circle' })
    expect(rendition).toMatchObject({ content_type: 'image/png', width: 120, height: 120, shown_height: 60 })
    for (const [x, y] of [
      [0, 0],
      [119, 0],
      [0, 119],
      [119, 119],
      [16, 16],
    ] as const)
      expect(circle.at(x, y)[3], `${x},${y}`).toBe(0)
    for (const [x, y] of [
      [60, 60],
      [60, 1],
      [1, 60],
      [118, 60],
      [20, 20],
    ] as const)
      expect(circle.at(x, y)[3], `${x},${y}`).toBe(255)
  })

  it('has corners of 8 display pixels when rounded, at every scale', async () => {
    const banner = await storeAsset(await solidPicture(600, 300).jpeg().toBuffer())
    const { pixels: scale2 } = await fetchRendition(banner, { width: 200, shape: 'rounded' })
    expect([scale2.width, scale2.height]).toEqual([400, 200])
    // The radius is 16 pixels: on the diagonal the curve crosses at 16 × (1 − 1/√2) = 4.7.
    expect([scale2.at(0, 0)[3], scale2.at(3, 3)[3]]).toEqual([0, 0])
    expect([scale2.at(6, 6)[3], scale2.at(17, 0)[3], scale2.at(0, 17)[3], scale2.at(200, 100)[3]]).toEqual([
      255, 255, 255, 255,
    ])
    const { pixels: scale1 } = await fetchRendition(banner, { width: 200, shape: 'rounded', scale: 1 })
    expect([scale1.at(0, 0)[3], scale1.at(3, 3)[3], scale1.at(9, 0)[3]]).toEqual([0, 255, 255])
    // A picture with too few pixels gets corners of the same display size.
    const small = await storeAsset(await solidPicture(100, 50).jpeg().toBuffer())
    const { pixels: lowResolution } = await fetchRendition(small, { width: 100, shape: 'rounded' })
    expect([
      lowResolution.width,
      lowResolution.at(0, 0)[3],
      lowResolution.at(3, 3)[3],
      lowResolution.at(9, 0)[3],
    ]).toEqual([100, 0, 255, 255])
  })

  it('stays animated, unless it gets a shape', async () => {
    const animation = await frames(120, 80, ['#ff0000', '#00ff00', '#0000ff'])
    const asset = await storeAsset(await animation.gif({ delay: [100, 200, 300] }).toBuffer())
    expect(asset.animated).toBe(true)
    const small = await fetchRendition(asset, { width: 30, height: 30 })
    expect(small.rendition).toMatchObject({ content_type: 'image/gif', width: 60, height: 60 })
    expect([small.metadata.pages, small.metadata.delay]).toEqual([3, [100, 200, 300]])
    const circle = await fetchRendition(asset, { width: 30, shape: 'circle' })
    expect(circle.metadata).toMatchObject({ format: 'png', width: 60, height: 60 })
    expect(circle.metadata.pages ?? 1).toBe(1)
    expect(circle.pixels.at(30, 30)).toEqual([255, 0, 0, 255])
  })

  it('has the computed size for every picture and box', async () => {
    const assets = await Promise.all(
      [
        [1, 1],
        [7, 300],
        [333, 10],
        [97, 89],
      ].map(async ([width, height]) => storeAsset(await solidPicture(width!, height!).png().toBuffer())),
    )
    const side = fc.option(fc.integer({ min: 1, max: 200 }), { nil: null })
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    const anyBox = fc.record({
      width: side,
      height: side,
      shape: fc.constantFrom('square' as const, 'rounded' as const, 'circle' as const),
      scale: fc.integer({ min: 1, max: 3 }),
      halo: fc.boolean(),
      crop: fc.option(fc.record({ x: fraction, y: fraction, width: fraction, height: fraction }), {
        nil: undefined,
      }),
    })
    const [, tall, wide] = assets as [StoredAsset, StoredAsset, StoredAsset]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...assets), anyBox, async (asset, box) => {
        const { rendition } = await fetchRendition(asset, box)
        expect(rendition.width).toBeLessThanOrEqual(asset.width)
        expect(rendition.height).toBeLessThanOrEqual(asset.height)
      }),
      {
        numRuns: runs(30),
        // One side is rounded up, the other down.
        examples: [
          [wide, { width: 112, height: null, shape: 'square', scale: 3, halo: false, crop: undefined }],
          [tall, { width: null, height: 107, shape: 'square', scale: 3, halo: false, crop: undefined }],
        ],
      },
    )
  })

  it('has a stable address that cannot be forged', async () => {
    const asset = await storeAsset(await quarters(800, 400))
    const other = await storeAsset(await quarters(800, 402))
    const { url } = renditionOf(asset, { width: 100 })
    expect(renditionOf(asset, { width: 100 }).url).toBe(url)
    const foreign = renditionOf(other, { width: 100 }).url.split('/').at(-1)!
    const forged = [
      url.replace('100x50', '101x50'),
      url.replace('-square-', '-circle-'),
      url.replace('-2x-', '-3x-'),
      url.replace('.png', '.jpeg'),
      url.replace(/-[\w-]{12}\.png$/, '.png'),
      url.replace(/[\w-]{12}\.png$/, 'AAAAAAAAAAAA.png'),
      url.replace(/[^/]*$/, foreign),
      `${url}x`,
      `${url}/x`,
      url.replace('100x50', '0100x50'),
      url.replace('-2x-', '-2x-halo-'),
      url.replace('-2x-', '-2x-crop0_0_5000_5000-'),
      renditionOf(asset, { width: 100, halo: true }).url.replace('-halo', ''),
      url.replace(asset.url.split('/').at(-2)!, other.url.split('/').at(-1)!.slice(0, 22)),
    ]
    for (const forgedUrl of forged) {
      const answer = await fetchFile(app, forgedUrl)
      expect([answer.status, answer.body.error.type], forgedUrl).toEqual([404, 'not_found'])
    }
    expect((await fetchFile(app, url)).status).toBe(200)
  })

  it('is read from the store at the second request', async () => {
    const asset = await storeAsset(await quarters(400, 200))
    const { url } = renditionOf(asset, { width: 77 })
    const first = await fetchFile(app, url)
    const key = `${app.id}/${asset.content_hash.slice(0, 2)}/${asset.content_hash}-77x39-square-2x`
    expect(await app.store.get(key)).toEqual(first.bytes)
    await app.store.put(key, Buffer.from('as kept'), 'image/png')
    expect((await fetchFile(app, url)).text).toBe('as kept')
  })
})

describe('a cropped rendition', () => {
  it('shows only the chosen part, at the proportions of that part', async () => {
    const asset = await storeAsset(await quarters(800, 400))
    const topRight = { x: 0.5, y: 0, width: 0.5, height: 0.5 }
    const { rendition, pixels: part } = await fetchRendition(asset, { width: 100, crop: topRight })
    expect(rendition).toMatchObject({ width: 200, height: 100, shown_height: 50 })
    for (const [x, y] of [
      [0, 0],
      [199, 0],
      [0, 99],
      [199, 99],
    ] as const)
      expect(part.at(x, y), `${x},${y}`).toEqual([0, 255, 0, 255])
    const both = await fetchRendition(asset, {
      width: 40,
      height: 40,
      shape: 'circle',
      crop: { x: 0, y: 0.5, width: 0.5, height: 0.5 },
    })
    expect([both.pixels.at(40, 40), both.pixels.at(0, 0)[3]]).toEqual([[0, 0, 255, 255], 0])
  })

  it('has an address of its own; a crop of the whole picture has the address without a crop', async () => {
    const asset = await storeAsset(await quarters(800, 400))
    const urlOf = (box: ImageBox) => renditionOf(asset, box).url
    expect(urlOf({ width: 100 })).toMatch(/\/100x50-square-2x-[\w-]{12}\.png$/)
    expect(urlOf({ width: 100, halo: false })).toBe(urlOf({ width: 100 }))
    expect(urlOf({ width: 100, crop: { x: 0, y: 0, width: 1, height: 1 } })).toBe(urlOf({ width: 100 }))
    expect(urlOf({ width: 100, crop: { x: 0, y: 0, width: 1, height: 0.5 } })).not.toBe(urlOf({ width: 100 }))
  })

  it('of an animation stays animated', async () => {
    const animation = await frames(120, 80, ['#ff0000', '#00ff00'])
    const asset = await storeAsset(await animation.gif({ delay: [100, 200] }).toBuffer())
    const { metadata } = await fetchRendition(asset, {
      width: 30,
      crop: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
    })
    expect([metadata.pages, metadata.width, metadata.height]).toEqual([2, 60, 40])
  })
})

/** A dark rectangle on a transparent canvas. `margin` is the free space around it. */
const logo = (width: number, height: number, margin: number): Promise<Buffer> =>
  solidPicture(width - 2 * margin, height - 2 * margin, '#101828')
    .ensureAlpha()
    .extend({ left: margin, right: margin, top: margin, bottom: margin, background: '#00000000' })
    .png()
    .toBuffer()

describe('a halo', () => {
  const over = (bytes: Buffer, background: string) =>
    sharp(bytes).flatten({ background }).png().toBuffer().then(pixels)

  it('is a white outline that can be seen on black and not on white', async () => {
    const asset = await storeAsset(await logo(400, 200, 40))
    const plain = await fetchRendition(asset, { width: 200 })
    const { bytes, rendition } = await fetchRendition(asset, { width: 200, halo: true })
    expect(rendition).toMatchObject({ content_type: 'image/png', width: 400, height: 200 })
    const [onBlack, onWhite] = [await over(bytes, '#000000'), await over(bytes, '#ffffff')]
    const plainOnWhite = await over(plain.bytes, '#ffffff')
    expect(onBlack.at(39, 100)[0]).toBeGreaterThan(180) // beside the left edge of the logo
    expect(onBlack.at(37, 100)[0]).toBeGreaterThan(30)
    expect(onBlack.at(32, 100)[0]).toBeLessThan(5) // the outline is thin
    expect(onBlack.at(200, 100)).toEqual([16, 24, 40, 255])
    for (let x = 0; x < 400; x++)
      for (const channel of [0, 1, 2] as const)
        expect(Math.abs(onWhite.at(x, 100)[channel] - plainOnWhite.at(x, 100)[channel])).toBeLessThanOrEqual(
          2,
        )
  })

  it('is left out where the picture is clear on a dark background by itself', async () => {
    const colored = async (color: string) => {
      const margins = { left: 40, right: 40, top: 40, bottom: 40, background: '#00000000' }
      const picture = solidPicture(320, 120, color).ensureAlpha().extend(margins).png().toBuffer()
      const drawn = await fetchRendition(await storeAsset(await picture), { width: 200, halo: true })
      return drawn.pixels.at(39, 100)[3]
    }
    expect(await colored('#b5502b')).toBe(0)
    expect(await colored('#1f3864')).toBeGreaterThan(180)
  })

  it('does not indent a wide logo that reaches its edges', async () => {
    const asset = await storeAsset(
      await sharp(await logo(800, 160, 0))
        .composite([{ input: await logo(20, 20, 0), blend: 'dest-out', left: 390, top: 70 }])
        .png()
        .toBuffer(),
    )
    const { pixels: drawn } = await fetchRendition(asset, { width: 200, halo: true })
    // 400 × 80 file pixels, with an outline of three pixels on each side.
    expect(drawn.at(6, 40)).toEqual([16, 24, 40, 255])
    expect(drawn.at(393, 40)).toEqual([16, 24, 40, 255])
    expect(drawn.at(200, 1)[0]).toBeGreaterThan(200)
  })

  it('has room when the logo reaches the edge', async () => {
    const asset = await storeAsset(
      await sharp(await logo(400, 200, 0))
        .composite([{ input: await logo(20, 20, 0), blend: 'dest-out', left: 190, top: 90 }])
        .png()
        .toBuffer(),
    )
    const { pixels: drawn } = await fetchRendition(asset, { width: 200, halo: true })
    expect(drawn.at(0, 100)[3]).toBeLessThan(200)
    expect(drawn.at(200, 2)[0]).toBeGreaterThan(200) // the outline above the logo
    expect(drawn.at(30, 30)).toEqual([16, 24, 40, 255])
  })

  it('changes nothing in pictures without transparency, and keeps animations', async () => {
    const photo = await storeAsset(await noise(400, 300).jpeg().toBuffer())
    const { rendition, bytes } = await fetchRendition(photo, { width: 100, halo: true })
    expect([rendition.content_type, bytes]).toEqual([
      'image/jpeg',
      (await fetchRendition(photo, { width: 100 })).bytes,
    ])
    const opaque = await storeAsset(await quarters(400, 200))
    const drawn = await fetchRendition(opaque, { width: 100, halo: true })
    expect(drawn.bytes).toEqual((await fetchRendition(opaque, { width: 100 })).bytes)
    const gif = await (await frames(60, 40, ['#ff0000', '#00ff00'])).gif({ delay: [100, 200] }).toBuffer()
    const { metadata } = await fetchRendition(await storeAsset(gif), { width: 30, halo: true })
    expect([metadata.format, metadata.pages]).toEqual(['gif', 2])
  })
})

describe('an image block with a crop and a halo', () => {
  it('shows the rendition with both, at the proportions of the part', async () => {
    const asset = await storeAsset(await logo(400, 200, 40))
    const image = {
      type: 'image',
      assetUuid: asset.id,
      alt: 'Logo',
      width: 100,
      halo: true,
      crop: { x: 0, y: 0, width: 0.5, height: 1 },
    }
    const { body } = await app.post('/v1/content/preview', { content: { type: 'stack', children: [image] } })
    const [, url = ''] = /src="([^"]+)"/.exec(body.data.html) ?? []
    expect(url).toContain('/100x100-square-2x-crop0_0_5000_10000-halo-')
    const { pixels: drawn } = await fetchRendition(asset, image as ImageBox)
    expect([(await fetchFile(app, url)).status, drawn.width, drawn.at(150, 100)[2]]).toEqual([200, 200, 40])
  })
})
