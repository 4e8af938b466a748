// Builds the add-in into a folder: `node outlook/build/build.ts <folder>`.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'

const source = join(import.meta.dirname, '../src')

const scripts = {
  'launch.js': 'launch/launch.ts',
  'launch-naa.js': 'naa/launch.ts',
  'taskpane.js': 'pane/pane.ts',
  'taskpane-naa.js': 'naa/pane.ts',
}

/** One file without imports, because classic Outlook loads no second one. Its engine knows ECMAScript 2016. */
async function bundled(entry: string): Promise<string> {
  const { output } = await build({
    input: join(source, entry),
    write: false,
    platform: 'browser',
    transform: { target: 'es2016' },
    output: { format: 'iife', minify: true, codeSplitting: false },
  })
  if (output.length !== 1) throw new Error(`${entry} became ${output.length} files`)
  return output[0].code
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Give the folder to build into.')
for (const [name, entry] of Object.entries(scripts)) await writeFile(join(folder, name), await bundled(entry))
const style = await readFile(join(source, 'pane/pane.css'), 'utf8')
const pane = await readFile(join(source, 'pane/pane.html'), 'utf8')
await writeFile(
  join(folder, 'taskpane.html'),
  pane.replace('/* style */', () => style),
)
await writeFile(join(folder, 'launch.html'), await readFile(join(source, 'launch/launch.html'), 'utf8'))
