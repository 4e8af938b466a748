// Started by tests with a low limit of file handles: reads a picture while no handle is free, then again.
import { closeSync, openSync } from 'node:fs'
import { readImage } from '#features/content/assets/imaging/index.ts'

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function outcome(): Promise<string> {
  try {
    return (await readImage('', Buffer.from(picture), 'base64')).contentType
  } catch (error) {
    const { code, headers } = error as { code?: string; headers?: Record<string, string> }
    return `${code} ${headers?.['Retry-After']}`
  }
}

const handles: number[] = []
try {
  for (;;) handles.push(openSync('/dev/null', 'r'))
} catch {
  // no handle is free
}
const outcomeWithoutHandles = await outcome()
for (const handle of handles) closeSync(handle)
console.log([outcomeWithoutHandles, await outcome()].join(', '))
