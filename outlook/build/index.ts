// What the service serves of the add-in.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddInSettings } from '../src/wire.ts'
import { pagePolicy } from './policy.ts'

export type * from '../src/wire.ts'
export { troubleCodes } from '../src/wire.ts'

/** All below `/outlook/{token}/`. */
export const servedFileNames = ['launch.js', 'launch.html', 'taskpane.js', 'taskpane.html'] as const
export type ServedFileName = (typeof servedFileNames)[number]

/** The files that the build writes: a script for each way to authenticate. */
export const builtFileNames = [
  'launch.js',
  'launch-naa.js',
  'launch.html',
  'taskpane.js',
  'taskpane-naa.js',
  'taskpane.html',
] as const

export interface AddInFile {
  readonly body: string
  /** Content type and, for pages, the content security policy. */
  readonly headers: Readonly<Record<string, string>>
  /** For the ETag: changes with the body. */
  readonly hash: string
}

/** The line in front of every script. JSON without `<`: no value can end a script element. */
const settingsLine = (settings: AddInSettings): string =>
  `var SIGNOFF=${JSON.stringify(settings).replaceAll('<', '\\u003c')};\n`

export interface AddIn {
  file(name: ServedFileName, settings: AddInSettings): AddInFile
}

/** Reads what `build.ts` wrote into the folder. */
export async function readAddIn(folder: string): Promise<AddIn> {
  const texts = new Map(
    await Promise.all(
      builtFileNames.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  )
  const textOf = (name: (typeof builtFileNames)[number]): string => texts.get(name) ?? ''

  function scriptOf(name: 'launch' | 'taskpane', settings: AddInSettings): string {
    return settingsLine(settings) + textOf(settings.auth === 'naa' ? `${name}-naa.js` : `${name}.js`)
  }

  return {
    file(name, settings) {
      const isScript = name === 'launch.js' || name === 'taskpane.js'
      const body = isScript ? scriptOf(name === 'launch.js' ? 'launch' : 'taskpane', settings) : textOf(name)
      const headers: Record<string, string> = isScript
        ? { 'content-type': 'text/javascript; charset=utf-8' }
        : {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': pagePolicy(body, settings),
          }
      return { body, headers, hash: hash('sha256', body, 'hex').slice(0, 16) }
    },
  }
}
