// Run by tests, with few file handles: reads a picture while none is left, then again.
import { closeSync, openSync } from 'node:fs'
import { readImage } from '#features/assets/imaging/index.ts'

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function outcome(): Promise<string> {
  try {
    return (await readImage(Buffer.from(picture), 'base64')).contentType
  } catch (error) {
    const { code, headers } = error as { code?: string; headers?: Record<string, string> }
    return `${code} ${headers?.['Retry-After']}`
  }
}

const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // none is left
}
const crowded = await outcome()
for (const handle of taken) closeSync(handle)
console.log([crowded, await outcome()].join(', '))
