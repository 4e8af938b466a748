// Makes pictures look the same on every machine: the fonts come from npm, and a fontconfig file prefers them to the
// fonts of the machine. script-fonts.ts has the fonts for Chinese, Japanese, Korean, Arabic, Thai, Devanagari and emoji;
// those of the machine are used for other scripts.
import { hash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const load = createRequire(import.meta.url)

const packages = ['@expo-google-fonts/arimo', '@expo-google-fonts/tinos', '@expo-google-fonts/cousine']

interface StandIn {
  readonly families: readonly string[]
  readonly named: readonly string[]
}

/**
 * Replacements for the fonts in signatures. Arimo, Tinos and Cousine have the same character widths as Arial, Times New
 * Roman and Courier New; the others are similar.
 */
const standIns: readonly StandIn[] = [
  { families: ['Arimo'], named: ['Arial', 'Helvetica', 'Helvetica Neue', 'sans-serif'] },
  { families: ['Tinos'], named: ['Times New Roman', 'Times', 'serif'] },
  { families: ['Cousine'], named: ['Courier New', 'Courier', 'monospace'] },
  {
    families: ['Open Sans', 'Arimo'],
    named: ['Verdana', 'Tahoma', 'Trebuchet MS', 'Geneva', 'Lucida Sans Unicode', 'Segoe UI', 'Calibri'],
  },
  { families: ['Tinos'], named: ['Georgia', 'Garamond', 'Palatino', 'Palatino Linotype', 'Cambria'] },
]

const machineFolders = ['/usr/share/fonts', '/usr/local/share/fonts']

function packageFolder(name: string): readonly string[] {
  try {
    return [dirname(load.resolve(`${name}/package.json`))]
  } catch {
    return [] // optional package: without it the fonts of the machine are used
  }
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** `binding="strong"`, so that an Arial installed on this machine does not change the picture. */
const matchRules = ({ families, named }: StandIn): string =>
  named
    .map(name => {
      const list = families.map(family => `<string>${family}</string>`).join('')
      return `<match><test name="family"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong">${list}</edit></match>`
    })
    .join('\n')

const configuration = (folders: readonly string[], cache: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map(folder => `<dir>${escaped(folder)}</dir>`).join('\n')}
${standIns.map(matchRules).join('\n')}
<cachedir>${escaped(cache)}</cachedir>
</fontconfig>
`

/**
 * Writes the file and returns its path. The name has a hash of the content, because installations can share the folder.
 */
export async function writeFontConfiguration(
  folder: string,
  ...moreFolders: readonly string[]
): Promise<string> {
  const text = configuration(
    [...packages.flatMap(packageFolder), ...moreFolders, ...machineFolders],
    join(folder, 'fontconfig'),
  )
  const file = join(folder, `fonts-${hash('sha256', text).slice(0, 8)}.conf`)
  await mkdir(folder, { recursive: true })
  const partial = `${file}.${randomUUID()}`
  await writeFile(partial, text)
  await rename(partial, file)
  return file
}
