// Fonts for the scripts that Arimo, Tinos and Cousine lack, from npm: the browser loads the parts that a picture needs.
// A picture without such a script has none of them. The fonts of the machine are used for all other scripts.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const load = createRequire(import.meta.url)

interface ScriptFont {
  readonly packageName: string
  /** The file with the @font-face rules, and the address of a font file in it. */
  readonly css: string
  readonly address: RegExp
  readonly files: string
  readonly family: string
  readonly letters: RegExp
}

const notoFont = (script: string, letters: RegExp): ScriptFont => ({
  packageName: `@fontsource-variable/noto-sans-${script.toLowerCase()}`,
  css: 'index.css',
  address: /url\(\.\/files\//g,
  files: 'files',
  family: `Noto Sans ${script} Variable`,
  letters,
})

/** In order of preference: Japanese and Korean text gets its own forms of Chinese characters. */
const scriptFonts: readonly ScriptFont[] = [
  {
    packageName: 'twemoji-colr-font',
    css: 'twemoji.css',
    address: /url\("/g,
    files: '',
    family: 'Twemoji',
    letters: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u,
  },
  notoFont('Arabic', /\p{Script=Arabic}/u),
  notoFont('Thai', /\p{Script=Thai}/u),
  notoFont('Devanagari', /\p{Script=Devanagari}/u),
  notoFont('JP', /[\p{Script=Hiragana}\p{Script=Katakana}]/u),
  notoFont('KR', /\p{Script=Hangul}/u),
  notoFont('SC', /[\p{Script_Extensions=Han}\uff00-\uffef]/u),
]

const folderOf = ({ packageName }: ScriptFont): string | undefined => {
  try {
    return dirname(load.resolve(`${packageName}/package.json`))
  } catch {
    return undefined // optional package: without it the fonts of the machine are used
  }
}

const rulesByFont = new Map<ScriptFont, Promise<string>>()

/** The @font-face rules, with addresses that begin with a mark instead of the address of the fonts. */
function rulesOf(font: ScriptFont, folder: string): Promise<string> {
  const cached = rulesByFont.get(font)
  if (cached) return cached
  const quote = font.files === '' ? '"' : ''
  const rules = readFile(join(folder, font.css), 'utf8').then(
    css => css.replace(font.address, `url(${quote}${addressMark}${scriptFonts.indexOf(font)}/`),
    () => '',
  )
  rulesByFont.set(font, rules)
  return rules
}

const addressMark = '@fonts@'

export interface PageFonts {
  /** Rules that define the families. */
  readonly css: string
  readonly families: readonly string[]
}

/** The fonts for the letters in this HTML. `address` is where the browser asks for their files. */
export async function fontsFor(html: string, address: string): Promise<PageFonts> {
  const used: ScriptFont[] = []
  const rules: string[] = []
  for (const font of scriptFonts) {
    if (!font.letters.test(html)) continue
    const folder = folderOf(font)
    if (folder === undefined) continue
    used.push(font)
    rules.push(await rulesOf(font, folder))
  }
  return {
    css: rules.join('').replaceAll(addressMark, address),
    families: used.map(font => font.family),
  }
}

const fontFile = /^(\d+)\/([\w-]+\.woff2)$/

/** The font file behind an address, which the rules made: `3/noto-sans-jp-4-wght-normal.woff2`. */
export async function readFont(path: string): Promise<Buffer | null> {
  const [, index = '', file = ''] = fontFile.exec(path) ?? []
  const font = index === '' ? undefined : scriptFonts[Number(index)]
  const folder = font && folderOf(font)
  return folder === undefined ? null : readFile(join(folder, font?.files ?? '', file)).catch(() => null)
}
