// Builds the add-in into a folder: `node outlook/build/build.ts <folder>`.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundledScript, scriptEntries, sourceFolder } from './bundle.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Give the folder to build into.')
const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
const read = (path: string): Promise<string> => readFile(join(sourceFolder, path), 'utf8')

for (const name of Object.keys(scriptEntries) as (keyof typeof scriptEntries)[])
  await write(name, await bundledScript(name))
const style = await read('pane/pane.css')
await write(
  'taskpane.html',
  (await read('pane/pane.html')).replace('/* style */', () => style),
)
await write('launch.html', await read('launch/launch.html'))
