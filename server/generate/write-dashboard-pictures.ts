// Draws the pictures of the dashboard in docs/pictures: four for README.md, and two sheets with all pages.
// npx node server/generate/write-dashboard-pictures.ts <address> <value of the session's cookie>
// The service must have the data of `signoff demo`.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { startBrowser } from '#platform/screenshots/index.ts'
import { docsFolder } from '../test/support/files/guide.ts'

const [url = '', cookie = ''] = process.argv.slice(2)
const folder = join(docsFolder, 'pictures')
const browserFolder = await mkdtemp(join(tmpdir(), 'signoff-pictures-'))
const { browser } = await startBrowser({ chromium: null, folder: browserFolder })

interface Look {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}

async function openPage(from: Browser, { width, height, theme }: Look) {
  const context = await from.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en',
  })
  await context.addCookies([{ name: 'signoff', value: cookie, url }])
  return context.newPage()
}

async function screenshots(look: Look, paths: readonly string[]): Promise<Buffer[]> {
  const page = await openPage(browser, look)
  const pictures: Buffer[] = []
  for (const path of paths) {
    await page.goto(url + path)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
    pictures.push(await page.screenshot())
  }
  await page.context().close()
  return pictures
}

const first = async (
  list: string,
  isChosen: (row: { name: string }) => boolean = () => true,
): Promise<string> => {
  const answer = await fetch(`${url}/v1/${list}`, { headers: { cookie: `signoff=${cookie}` } })
  const { data } = (await answer.json()) as { data: { id: string; name: string }[] }
  return (data.find(isChosen) ?? data[0])?.id ?? ''
}

const signature = await first('signatures', ({ name }) => name.startsWith('Marketing'))
const campaign = await first('marketing_campaigns')
const person = await first('teammates')
const wide: Look = { width: 1280, height: 800, theme: 'light' }

const pathsByName = {
  home: '/',
  editor: `/signatures/${signature}/edit`,
  people: '/people',
  campaign: `/campaigns/${campaign}`,
} as const
const pictures = await screenshots(wide, Object.values(pathsByName))
for (const [index, name] of Object.keys(pathsByName).entries())
  await sharp(pictures[index])
    .webp({ quality: 80 })
    .toFile(join(folder, `dashboard-${name}.webp`))

const pages = [
  '/',
  '/signatures',
  `/signatures/${signature}`,
  `/signatures/${signature}/edit`,
  `/signatures/${signature}/recipients`,
  `/signatures/${signature}/versions`,
  '/people',
  `/people/${person}`,
  '/people/import',
  '/fields',
  '/campaigns',
  `/campaigns/${campaign}`,
  '/analytics',
  '/assets',
  '/installations',
  '/integrations',
  '/approvals',
  '/settings/brand',
  '/settings/members',
  '/me',
]

async function sheet(file: string, look: Look, columns: number, shownWidth: number): Promise<void> {
  const small = await Promise.all(
    (await screenshots(look, pages)).map(picture =>
      sharp(picture).resize({ width: shownWidth }).png().toBuffer(),
    ),
  )
  const shownHeight = Math.round((shownWidth * look.height) / look.width)
  const gap = 16
  const rows = Math.ceil(small.length / columns)
  await sharp({
    create: {
      width: gap + columns * (shownWidth + gap),
      height: gap + rows * (shownHeight + gap),
      channels: 3,
      background: '#8a8f99',
    },
  })
    .composite(
      small.map((input, index) => ({
        input,
        left: gap + (index % columns) * (shownWidth + gap),
        top: gap + Math.floor(index / columns) * (shownHeight + gap),
      })),
    )
    .webp({ quality: 72 })
    .toFile(join(folder, file))
}

await sheet('dashboard-pages.webp', wide, 4, 480)
await sheet('dashboard-phone-dark.webp', { width: 360, height: 720, theme: 'dark' }, 10, 180)
await browser.close()
await rm(browserFolder, { recursive: true, force: true })
for (const name of ['home', 'editor', 'people', 'campaign', 'pages', 'phone-dark'])
  console.log(name, (await stat(join(folder, `dashboard-${name}.webp`))).size)
