// Draws the pictures of docs/: the blocks of docs/use/content.md from the JSON in it, the templates of README.md, and all
// templates with their ids for docs/use/templates.md.
// npx node server/generate/write-guide-pictures.ts [part of a picture's name]
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile, type Person, type RenderHooks, render, type Surroundings } from '@signoff/render'
import sharp from 'sharp'
import { demoRows } from '#demo/people.ts'
import { bannerPictures, brandColour, logoPicture, readDrawing, readDrawnPortrait } from '#demo/pictures.ts'
import {
  planFromFileName,
  type RenditionSource,
  renditionOf,
} from '#features/content/assets/imaging/rendition.ts'
import { drawRendition } from '#features/content/assets/imaging/shape.ts'
import { drawQr } from '#features/content/contact-cards/qr.ts'
import { iconFile } from '#features/content/icons/drawing.ts'
import type { FieldKey } from '#features/content/templates/design.ts'
import { designs } from '#features/content/templates/designs/index.ts'
import { kitOf } from '#features/content/templates/rules.ts'
import { sampleBrand, sampleFields, sampleSurroundings } from '#features/content/templates/samples.ts'
import { createScreenshots, type Loaded, type ScreenshotAppearance } from '#platform/screenshots/index.ts'
import { docsFolder, readGuide } from '../test/support/files/guide.ts'

const origin = 'https://sign.northbean.example'
const files = `${origin}/files/`
const secret = Buffer.from('guide')

const logo = await readDrawing(logoPicture.filename)
const darkLogo = Buffer.from(String(logo).replaceAll(brandColour, '#2b1d14'))
const banner = await readDrawing(bannerPictures.tasting.filename)
const people = ['Mira Patel', 'Oskar Virtanen', 'Lucía Romero', 'Yara Cohen']
const portraitFile = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

/** A wide picture whose middle differs from its edges. */
const office = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 320 200"><rect width="320" height="200" fill="#f6e7cf"/><circle cx="262" cy="42" r="22" fill="#f2b705"/><path d="M0 150 70 96 128 140 190 88 320 156V200H0Z" fill="#7fae9d"/><path d="M104 172V104L160 66 216 104V172Z" fill="#fff"/><path d="M96 110 160 60 224 110 216 118 160 74 104 118Z" fill="#b5482a"/><rect x="148" y="132" width="24" height="40" fill="#5b3a26"/><rect x="118" y="118" width="20" height="20" fill="#9dc0e3"/><rect x="182" y="118" width="20" height="20" fill="#9dc0e3"/><path d="M0 172H320V200H0Z" fill="#2f5d50"/></svg>`,
)

const originals = new Map<string, Buffer>([
  ['logo', await sharp(logo, { density: 216 }).png().toBuffer()],
  ['dark_logo', await sharp(darkLogo, { density: 216 }).png().toBuffer()],
  ['banner', await sharp(banner, { density: 144 }).png().toBuffer()],
  ['office', await sharp(office).png().toBuffer()],
])
for (const { name, email } of demoRows(new Map()))
  if (people.includes(name))
    originals.set(
      portraitFile(name),
      await sharp(await readDrawnPortrait(email))
        .png()
        .toBuffer(),
    )

const sources = new Map<string, RenditionSource>()
for (const [name, bytes] of originals) {
  const { width = 0, height = 0 } = await sharp(bytes).metadata()
  sources.set(name, {
    url: `${files}${name}.png`,
    rendition_secret: secret,
    content_type: 'image/png',
    width,
    height,
    animated: false,
  })
}

const codes = new Map<string, Buffer>()
const vcard =
  'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Patel;Mira\r\nFN:Mira Patel\r\nEMAIL:mira@northbean.example\r\nEND:VCARD'

async function load(address: string): Promise<Loaded | null> {
  const [, folder, name = '', file = ''] = address.split('/')
  const body =
    folder === 'icons' ? await iconFile(name) : folder === 'q' ? codes.get(name) : await fileOf(name, file)
  return body ? { body, contentType: 'image/png' } : null
}

async function fileOf(name: string, file: string): Promise<Buffer | undefined> {
  const original = originals.get(name.replace('.png', ''))
  const source = sources.get(name.replace('.png', ''))
  if (!original || !source || file === '') return original
  const rendition = planFromFileName(file, source)
  return rendition && drawRendition(original, rendition.plan)
}

const surroundings: Surroundings = {
  ...sampleSurroundings(origin, files),
  assets: new Map(
    [...sources].map(([name, { width, height }]) => [
      name,
      { width, height, bytes: 9_000, contentType: 'image/png' },
    ]),
  ),
  assetUrl: (id, box) => renditionOf(sources.get(id)!, box).url,
  personPicture(value, box) {
    const { url, shown_width, shown_height } = renditionOf(sources.get(value)!, box)
    return { url, width: shown_width, height: shown_height }
  },
}

const campaign = {
  id: 'campaign',
  template: compile(
    {
      type: 'stack',
      children: [{ type: 'image', assetUuid: 'banner', alt: 'Fresh from the farm', width: 420 }],
    },
    surroundings,
  ),
}

const hooks: RenderHooks = {
  campaign: () => campaign,
  vcard: () => `${origin}/v/card.vcf`,
  qrUrl({ size, color }) {
    codes.set('code.png', qr.get(`${size} ${color}`) ?? qr.values().next().value!)
    return `${origin}/q/code.png`
  },
}
const qr = new Map<string, Buffer>()
for (const color of ['#244a40', '#000000', '#101828'])
  for (const size of [96, 112]) qr.set(`${size} ${color}`, await drawQr({ text: vcard, size, color }))

type Values = Readonly<Record<FieldKey, string>>
const northbean: Values = {
  first_name: 'Mira',
  last_name: 'Patel',
  job_title: 'Head of Roasting',
  department: 'Production',
  company: 'Northbean Coffee',
  work_phone: '+49 40 5550 0123',
  mobile_phone: '+49 151 5550 0456',
  calendar_link: 'https://cal.northbean.example/mira',
  profile_picture: portraitFile('Mira Patel'),
  email: 'mira@northbean.example',
}
const arabic = { first_name: 'ليلى', last_name: 'بن علي', job_title: 'مديرة التحميص' }

/** What the last word of a picture's name changes. */
const variants: Readonly<Record<string, { person?: Person; appearance?: Partial<ScreenshotAppearance> }>> = {
  dark: { appearance: { theme: 'dark' } },
  phone: { appearance: { width: 'phone' } },
  empty: { person: { first_name: 'Mira', last_name: 'Patel', email: northbean.email } },
  arabic: { person: { ...northbean, ...arabic, profile_picture: portraitFile('Yara Cohen') } },
}

const screenshots = createScreenshots({
  chromium: null,
  folder: '/tmp/signoff-sheets-browser',
  publicUrl: origin,
  log: { warn: ({ err }, message) => console.warn(message, err) },
  load,
})

async function write(
  file: string,
  html: string,
  appearance: Partial<ScreenshotAppearance> = {},
  margin = 24,
): Promise<void> {
  const { theme = 'light', width = 'desktop' } = appearance
  const { png, missingGlyphs, missingPictures } = await screenshots.draw(html, { theme, width })
  if (missingGlyphs.length + missingPictures > 0) throw new Error(`${file}: something is missing`)
  const background = theme === 'dark' ? '#1f1f1f' : '#ffffff'
  const cut = await sharp(png)
    .trim({ background, threshold: 4 })
    .extend({ top: margin, right: margin, bottom: margin, left: margin, background })
    .png({ palette: true, colours: 128, effort: 10, compressionLevel: 9 })
    .toBuffer()
  await writeFile(join(docsFolder, 'pictures', file), cut)
  console.log(file, cut.length)
}

async function writeExamples(part: string): Promise<void> {
  for (const { pictures, content } of readGuide())
    for (const name of pictures.filter(name => name.includes(part))) {
      const { person = northbean, appearance } = variants[name.split('-').at(-1) ?? ''] ?? {}
      const { html } = render(content, person, { ...surroundings, ...hooks })
      await write(`content/${name}.png`, html, appearance)
    }
}

interface Shown {
  readonly id: string
  readonly primary: string
  readonly person: Pick<Values, 'first_name' | 'last_name' | 'job_title'>
}

/** Templates with different colours and people, in two columns. */
const gallery: readonly (readonly Shown[])[] = [
  [
    {
      id: 'corporate-classic',
      primary: '#2f5d50',
      person: { first_name: 'Mira', last_name: 'Patel', job_title: 'Head of Roasting' },
    },
    {
      id: 'reply-portrait',
      primary: '#27466f',
      person: { first_name: 'Lucía', last_name: 'Romero', job_title: 'Brand Design' },
    },
  ],
  [
    {
      id: 'sales-meeting',
      primary: '#b5482a',
      person: { first_name: 'Oskar', last_name: 'Virtanen', job_title: 'Key Accounts Nordics' },
    },
  ],
]

function templateHtml({ id, primary, person }: Shown): string {
  const { width, height } = sources.get('logo')!
  const brand = {
    ...sampleBrand,
    colors: { ...sampleBrand.colors, primary },
    website: 'https://www.northbean.example',
    address: '12 Harbour Street, 20457 Hamburg',
  }
  const values = {
    ...northbean,
    ...person,
    email: `${portraitFile(person.first_name)}@northbean.example`,
    profile_picture: portraitFile(`${person.first_name} ${person.last_name}`),
  }
  const design = designs.find(design => design.id === id)!
  const kit = kitOf(brand, sampleFields, { id: 'logo', width, height })
  const designHooks = design.isDrawnWithBanner ? hooks : { ...hooks, campaign: () => null }
  return render(design.build(kit), values, { ...surroundings, ...designHooks }).html
}

async function writeGallery(): Promise<void> {
  const card = (html: string) =>
    `<div style="background:#fff;border:1px solid #d9dde3;border-radius:12px;padding:20px 24px;flex-grow:1;display:flex;align-items:center">${html}</div>`
  const column = (items: readonly Shown[]) =>
    `<div style="display:flex;flex-direction:column;gap:16px">${items.map(item => card(templateHtml(item))).join('')}</div>`
  const html = `<div style="display:flex;gap:16px;background:#eef1f5;padding:20px;width:max-content">${gallery.map(column).join('')}</div>`
  await write('templates.png', html, {}, 0)
}

/** All templates at half their size, in columns that are about equally high, with their ids. */
async function writeAllTemplates(): Promise<void> {
  const person = { first_name: 'Mira', last_name: 'Patel', job_title: 'Head of Roasting' }
  const cell = ({ id }: { readonly id: string }) =>
    `<div style="break-inside:avoid;padding-bottom:14px"><div style="font:11px monospace;color:#57606a;padding-bottom:4px">${id}</div><div style="background:#fff;border:1px solid #d9dde3;border-radius:8px;padding:10px;overflow:hidden"><div style="zoom:0.5">${templateHtml({ id, primary: '#2f5d50', person })}</div></div></div>`
  const html = `<div style="width:676px;margin:-12px;padding:16px 12px 2px;columns:2;column-gap:14px;background:#eef1f5">${designs.map(cell).join('')}</div>`
  await write('all-templates.png', html, {}, 0)
}

const [part = ''] = process.argv.slice(2)
await mkdir(join(docsFolder, 'pictures/content'), { recursive: true })
await writeExamples(part)
if ('templates'.includes(part)) await writeGallery()
if ('all-templates'.includes(part)) await writeAllTemplates()
await screenshots.close()
