// The SDK as one ES module without dependencies, for Node and browsers.
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

const entry = join(import.meta.dirname, '../src/index.ts')

export async function bundle(): Promise<string> {
  const lib = { entry, formats: ['es' as const], fileName: 'index' }
  const options = { lib, write: false, minify: false, target: 'es2022' } as const
  const [result] = [await build({ configFile: false, logLevel: 'warn', build: options })].flat()
  const { output } = result as Rolldown.RolldownOutput
  if (output.length !== 1) throw new Error(`the SDK became ${output.length} files`)
  return output[0].code
}
