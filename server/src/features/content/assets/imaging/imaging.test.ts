// Converting images, tested through the API: upload a file, then read the served file.
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import {
  endlessSvg,
  fetchFile,
  frames,
  noise,
  pixels,
  solidPicture,
  svg,
  upload,
} from '#test/support/pictures.ts'
import { loadSharp } from './sharp.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/** Uploads a picture and returns the file that is then served. */
async function uploadAndServe(bytes: Buffer, fields: object = {}) {
  const { status, body, text } = await upload(app, bytes, fields)
  expect(status, text.slice(0, 500)).toBe(201)
  const file = await fetchFile(app, body.data.url)
  expect(file.headers['content-type']).toBe(body.data.content_type)
  expect(file.bytes.length).toBe(body.data.byte_size)
  return { asset: body.data, bytes: file.bytes, metadata: await sharp(file.bytes).metadata() }
}

describe('images', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/png'],
  ] as const)('in %s are stored as %s, independent of the file name', async (format, contentType) => {
    const { asset, metadata, bytes } = await uploadAndServe(
      await solidPicture(60, 40).toFormat(format).toBuffer(),
      {
        filename: 'invoice.pdf',
      },
    )
    expect(asset).toMatchObject({ content_type: contentType, width: 60, height: 40, animated: false })
    expect(asset.url).toMatch(new RegExp(`\\.${contentType.slice(6)}$`))
    expect(metadata.mediaType).toBe(contentType)
    const [red, green, blue, alpha] = (await pixels(bytes)).at(30, 20)
    expect([red > 190, green < 70, blue < 90, alpha]).toEqual([true, true, true, 255])
  })

  it('keep their transparency', async () => {
    const halfBlue = { r: 0, g: 0, b: 255, alpha: 0.5 }
    const png = await sharp({ create: { width: 20, height: 20, channels: 4, background: halfBlue } })
      .png()
      .toBuffer()
    expect((await pixels((await uploadAndServe(png)).bytes)).at(5, 5)[3]).toBe(128)
    const webp = await sharp(png).webp({ lossless: true }).toBuffer()
    expect((await pixels((await uploadAndServe(webp)).bytes)).at(5, 5)[3]).toBe(128)
  })

  it('are rotated upright by their EXIF orientation', async () => {
    const leftHalf = await solidPicture(30, 40, '#ff0000').png().toBuffer()
    const photo = await solidPicture(60, 40, '#0000ff')
      .composite([{ input: leftHalf, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { asset, bytes, metadata } = await uploadAndServe(photo)
    expect([asset.width, asset.height]).toEqual([40, 60])
    expect(metadata.orientation ?? 1).toBe(1)
    const rotatedPixels = await pixels(bytes)
    expect(rotatedPixels.at(20, 5)[0]).toBeGreaterThan(200) // the left half is at the top now
    expect(rotatedPixels.at(20, 55)[2]).toBeGreaterThan(200)
  })

  it.each(['png', 'jpeg', 'webp'] as const)('lose the metadata of a %s and get 96 DPI', async format => {
    const source = await solidPicture(60, 40)
      .withExif({ IFD0: { Copyright: 'hush-hush', Artist: 'hush-hush' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>hush-hush</a></x:xmpmeta>')
      .withIccProfile('p3')
      .withDensity(300)
      .toFormat(format)
      .toBuffer()
    expect(source.includes('hush-hush')).toBe(true)
    const { bytes, metadata } = await uploadAndServe(source)
    expect(bytes.includes('hush-hush')).toBe(false)
    expect([metadata.density, metadata.xmp, metadata.icc]).toEqual([96, undefined, undefined])
    // Only the resolution remains in EXIF: no camera, no location.
    expect(metadata.exif?.length ?? 0).toBeLessThan(150)
  })

  it('stay animated as GIF, and become a still PNG from WebP', async () => {
    const animation = await frames(30, 20, ['#ff0000', '#00ff00', '#0000ff'])
    const gif = await animation
      .clone()
      .gif({ delay: [100, 200, 300], loop: 0 })
      .toBuffer()
    const { asset, metadata } = await uploadAndServe(gif)
    expect(asset).toMatchObject({ content_type: 'image/gif', animated: true, width: 30, height: 20 })
    expect(metadata).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 0 })
    const converted = await uploadAndServe(await animation.clone().webp({ lossless: true }).toBuffer())
    expect(converted.asset).toMatchObject({
      content_type: 'image/png',
      animated: false,
      width: 30,
      height: 20,
    })
    expect((await pixels(converted.bytes)).at(5, 5)).toEqual([255, 0, 0, 255])
  })

  it('can have large chunks before their pixels', async () => {
    const png = await solidPicture(10, 10).png().toBuffer()
    const text = Buffer.concat([Buffer.from('tEXtComment\0'), Buffer.alloc(200_000, 'x')])
    const chunk = Buffer.concat([Buffer.alloc(4), text, Buffer.alloc(4)])
    chunk.writeUInt32BE(text.length - 4)
    chunk.writeUInt32BE(crc32(text), chunk.length - 4)
    const { bytes } = await uploadAndServe(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]))
    expect(bytes.length).toBeLessThan(1_000)
  })

  it('with the same bytes are stored once', async () => {
    const png = await solidPicture(33, 33, '#123456').png().toBuffer()
    const [firstUpload, secondUpload] = [await upload(app, png), await upload(app, png)]
    expect(firstUpload.body.data.url).not.toBe(secondUpload.body.data.url)
    const [first, second] = [
      await fetchFile(app, firstUpload.body.data.url),
      await fetchFile(app, secondUpload.body.data.url),
    ]
    expect(first.headers.etag).toBe(second.headers.etag)
  })
})

describe('SVGs', () => {
  it.each([
    ['width="40" height="20"', 1200, 600],
    ['viewBox="0 0 300 100"', 1200, 400],
    ['width="700" height="350"', 1400, 700],
    ['width="3000" height="1000"', 2400, 800],
    ['width="5" height="2"', 500, 200],
  ])('with %s are drawn with %i × %i pixels', async (attributes, width, height) => {
    const { asset, metadata } = await uploadAndServe(svg(attributes), { filename: 'logo.svg' })
    expect(asset).toMatchObject({ content_type: 'image/png', width, height, filename: 'logo.svg' })
    expect(metadata.density).toBe(96)
  })

  it('can start with an XML prologue', async () => {
    const prologue = `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by > hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n`
    const document = Buffer.concat([Buffer.from(prologue), svg('width="10" height="10"')])
    expect((await upload(app, document)).status).toBe(201)
    const long = Buffer.from(`<!--${'x'.repeat(5_000)}-->${svg('width="10" height="10"')}`)
    expect((await upload(app, long)).status).toBe(201)
    const latin = Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('width="10" height="10"', '<text>caf\u00e9</text>')}`,
      'latin1',
    )
    expect((await upload(app, latin)).status).toBe(201)
  })

  it('cannot read files from the disk', async () => {
    const { join } = await import('node:path')
    const { writeFile } = await import('node:fs/promises')
    const path = join(app.config.dataDir, 'secret.png')
    await writeFile(path, await solidPicture(10, 10, '#00ff00').png().toBuffer())
    for (const href of [`file://${path}`, path, `file:${path}`]) {
      const drawing = `<image width="10" height="10" href="${href}"/>`
      const { bytes } = await uploadAndServe(svg('width="10" height="10"', drawing))
      expect((await pixels(bytes)).at(500, 500), href).toEqual([0, 0, 0, 0])
    }
  })

  it('can embed small pictures', async () => {
    const uploadEmbedding = async (picture: Buffer, head = 'data:image/png;base64,') =>
      upload(
        app,
        svg(
          'width="10" height="10"',
          `<image width="10" height="10" href="${head}${picture.toString('base64')}"/>`,
        ),
      )
    const small = await uploadEmbedding(await solidPicture(10, 10, '#00ff00').png().toBuffer())
    expect(small.status).toBe(201)
    expect((await pixels((await fetchFile(app, small.body.data.url)).bytes)).at(500, 500)).toEqual([
      0, 255, 0, 255,
    ])
    const large = await solidPicture(6_000, 6_000).png().toBuffer()
    for (const head of [
      'data:image/png;base64,',
      '&#100;ata:image/png;base64,',
      ' da\nta:image/png;base64,',
    ]) {
      const answer = await uploadEmbedding(large, head)
      expect([answer.status, fieldErrors(answer)], head).toEqual([422, { file_base64: 'out_of_range' }])
    }
    const nested = await uploadEmbedding(svg('width="5" height="5"'), 'data:image/svg+xml;base64,')
    expect(fieldErrors(nested)).toEqual({ file_base64: 'invalid' })
  })
})

/** A PNG whose header claims a wrong size. */
async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const bytes = await solidPicture(10, 10).png().toBuffer()
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

const entityBomb = () => {
  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)
  return Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "ha">${entities.join('')}]>${svg('width="10" height="10"', '<text>&a9;</text>')}`,
  )
}

/** Groups that use each other: 6²⁵ elements in a short text. */
function useBomb(): Buffer {
  const groups = Array.from(
    { length: 25 },
    (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(6)}</g>`,
  )
  const defs = `<defs><rect id="g0" width="1" height="1"/>${groups.join('')}</defs>`
  return svg('width="10" height="10"', `${defs}<use href="#g25"/>`)
}

/** librsvg allocates a full picture for each translucent group. */
const layers = (count: number) =>
  svg(
    'width="2400" height="2400"',
    `${'<g opacity=".9">'.repeat(count)}<rect width="9" height="9"/>${'</g>'.repeat(count)}`,
  )

const colours = (count: number) =>
  Array.from({ length: count }, (_, i) => `#${(i * 2_000 + 9).toString(16).padStart(6, '0')}`)

/** An animation that shows the same frame again and again: encoding as many frames would take seconds. */
async function repeatedFrame(width: number, height: number, count: number): Promise<Buffer> {
  const gif = await solidPicture(width, height).gif().toBuffer()
  const flags = gif.readUInt8(10)
  // The header has 13 bytes, and a table of colours if the first flag is set.
  const headerEnd = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const frame = gif.subarray(headerEnd, -1)
  return Buffer.concat([gif.subarray(0, headerEnd), ...Array(count).fill(frame), gif.subarray(-1)])
}

describe('an SVG with nested groups', () => {
  it('is drawn up to 32 levels', async () => {
    expect((await upload(app, layers(8), { filename: 'a.svg' })).status).toBe(201)
    const refused = await upload(app, layers(40), { filename: 'a.svg' })
    expect(fieldErrors(refused)).toEqual({ file_base64: 'invalid' })
    expect(refused.body.details[0].message).toContain('nested deeper than 32 levels')
  })
})

/** librsvg allocates a full picture for each flood, and keeps it because the result has a name. */
const floods = (count: number) =>
  svg(
    'width="2400" height="2400"',
    `<filter id="f">${Array.from({ length: count }, (_, i) => `<feFlood result="r${i}"/>`).join('')}</filter><rect width="2400" height="2400" filter="url(#f)"/>`,
  )

describe('an image that takes too much memory', () => {
  it('is refused before it uses the memory of other work', async () => {
    const answer = await upload(app, floods(400))
    expect([answer.status, fieldErrors(answer)]).toEqual([422, { file_base64: 'out_of_range' }])
    expect(answer.body.error.message).toContain('takes more than 640 MB of memory')
  })
})

describe('an image that is too large', () => {
  it.each([
    ['a header that claims 100,000 × 100,000', () => pngClaiming(100_000, 100_000)],
    ['a header that claims 25.01 megapixels', () => pngClaiming(5_001, 5_001)],
    [
      '26 megapixels in a very small file',
      () => solidPicture(6_500, 4_000).png({ compressionLevel: 9 }).toBuffer(),
    ],
    ['26 megapixels of WebP', () => solidPicture(6_500, 4_000).webp({ effort: 0 }).toBuffer()],
    ['101 frames', async () => (await frames(8, 8, colours(101))).gif().toBuffer()],
    ['frames with too many pixels together', () => repeatedFrame(1_000, 700, 60)],
    ['an SVG of 10,000 × 10,000', () => svg('width="10000" height="10000"')],
    ['more than 15 MB', () => Buffer.alloc(15 * 1024 * 1024 + 1, 'x')],
  ])('is refused: %s', async (_, make) => {
    const answer = await upload(app, await make())
    expect([answer.status, fieldErrors(answer)]).toEqual([422, { file_base64: 'out_of_range' }])
    expect(answer.body.error.message).toMatch(/^file_base64 has /)
  })

  it('is accepted exactly at the limit', async () => {
    expect((await upload(app, await (await frames(8, 8, colours(100))).gif().toBuffer())).status).toBe(201)
    expect((await upload(app, await solidPicture(5_000, 5_000).png().toBuffer())).body.data).toMatchObject({
      width: 5_000,
    })
  })

  it('is refused with 413 when the body has more than 21 MB', async () => {
    const answer = await upload(app, Buffer.alloc(16 * 1024 * 1024))
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large'])
  })
})

describe('a file that is not an image', () => {
  const cut = (bytes: Buffer, part: number) => bytes.subarray(0, Math.floor(bytes.length * part))
  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('hello')],
    ['one byte', () => Buffer.from([0])],
    ['HTML', () => Buffer.from('<!DOCTYPE html><html><body><svg></svg></body></html>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n')],
    ['TIFF', () => solidPicture(10, 10).tiff().toBuffer()],
    ['AVIF', () => solidPicture(10, 10).avif().toBuffer()],
    ['the beginning of a PNG', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a PNG cut off', async () => cut(await noise(80, 80).png().toBuffer(), 0.7)],
    ['a JPEG cut off', async () => cut(await noise(80, 80).jpeg().toBuffer(), 0.7)],
    ['a GIF cut off', async () => cut(await noise(80, 80).gif().toBuffer(), 0.7)],
    ['a WebP cut off', async () => cut(await noise(80, 80).webp().toBuffer(), 0.7)],
    ['an SVG cut off', () => cut(svg('width="10" height="10"'), 0.7)],
    ['an SVG without size', () => svg('width="0" height="0"')],
    ['an SVG with a huge size', () => svg('width="1000000000" height="1000000000"')],
    ['an SVG with a huge viewBox', () => svg('viewBox="0 0 1e9 1e9"')],
    ['an SVG full of entities', entityBomb],
    ['an SVG full of uses', useBomb],
    [
      'an SVG with an entity from a file',
      () =>
        Buffer.from(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('', '<text>&x;</text>')}`),
    ],
    ['an SVG in UTF-16', () => Buffer.from(`\ufeff${svg('width="10" height="10"')}`, 'utf16le')],
    [
      'an SVG with bytes that are invalid in its encoding',
      () => Buffer.from([...svg('width="9" height="9"'), 0xff]),
    ],
    [
      'an SVG that says it is UTF-7',
      () => Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${svg('width="9" height="9"')}`),
    ],
  ])('is refused: %s', async (_, make) => {
    const answer = await upload(app, await make())
    expect([answer.status, fieldErrors(answer)]).toEqual([422, { file_base64: 'invalid' }])
    expect(answer.body.error.message).toMatch(/^file_base64 (is|holds) /)
  })

  it('is not even opened: the loaders of other formats are blocked', async () => {
    const tiff = await solidPicture(10, 10).tiff().toBuffer()
    const library = await loadSharp() // with the same settings as in the image process
    await expect(library(tiff).metadata()).rejects.toThrow('unsupported image format')
  })

  it('is refused: an SVG that takes too long, while other uploads continue', { tags: ['deep'] }, async () => {
    const small = await solidPicture(10, 10).png().toBuffer()
    const ended: string[] = []
    const slow = upload(app, endlessSvg).finally(() => ended.push('slow'))
    const quick = await upload(app, small).finally(() => ended.push('quick'))
    expect(quick.status).toBe(201)
    const answer = await slow
    expect(ended).toEqual(['quick', 'slow'])
    expect([answer.status, fieldErrors(answer)]).toEqual([422, { file_base64: 'invalid' }])
    expect(answer.body.error.message).toContain('seconds to draw')
    // The process that drew the SVG is not used again, even if the service has not yet noticed its end.
    expect((await upload(app, await solidPicture(11, 10).png().toBuffer())).status).toBe(201)
  })
})
