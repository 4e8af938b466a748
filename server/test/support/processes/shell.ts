// Runs the commands of documents exactly as printed.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { emptyFolder } from './process.ts'

const root = join(import.meta.dirname, '../../../..')

export const readDocument = (file: string): string => readFileSync(join(root, file), 'utf8')

export const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The commands of a document, one text per block. */
export const shellBlocks = (markdown: string): string[] =>
  [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands = '']) => commands)

/** A folder that has docs/ like the folder of Signoff. Commands write their files into it. */
export async function workingFolder(): Promise<string> {
  const folder = await emptyFolder()
  symlinkSync(join(root, 'docs'), join(folder, 'docs'))
  return folder
}

/** Runs the blocks one after the other in one shell, and returns what each of them prints. */
export async function runBlocks(
  blocks: readonly string[],
  { cwd, url, key = '' }: { cwd: string; url: string; key?: string | undefined },
): Promise<string[]> {
  const mark = '--- next block ---'
  const script = ['set -euo pipefail', ...blocks.flatMap(block => [`echo "${mark}"`, block])]
    .join('\n')
    .replaceAll('http://localhost:3000', url)
    .replaceAll('sgn_…', key)
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    cwd,
    env: { PATH: process.env.PATH },
  })
  return stdout.split(`${mark}\n`).slice(1)
}
