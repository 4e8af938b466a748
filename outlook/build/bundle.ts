import { join } from 'node:path'
import { build } from 'rolldown'

export const sourceFolder = join(import.meta.dirname, '../src')

export const scriptEntries = {
  'launch.js': 'launch/launch.ts',
  'launch-naa.js': 'naa/launch.ts',
  'taskpane.js': 'pane/pane.ts',
  'taskpane-naa.js': 'naa/pane.ts',
}

/** One file without imports, because classic Outlook loads no second one. Its engine knows ECMAScript 2016. */
export async function bundledScript(name: keyof typeof scriptEntries): Promise<string> {
  const { output } = await build({
    input: join(sourceFolder, scriptEntries[name]),
    write: false,
    platform: 'browser',
    transform: { target: 'es2016' },
    output: { format: 'iife', minify: true, codeSplitting: false },
  })
  if (output.length !== 1) throw new Error(`${name} became ${output.length} files`)
  return output[0].code
}
