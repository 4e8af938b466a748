// The examples of docs/use/content.md: pictures, each followed by the JSON that it shows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const docsFolder = join(import.meta.dirname, '../../../../docs')

export interface GuideExample {
  /** Pictures of the same JSON, by file name without extension. */
  readonly pictures: readonly string[]
  /** The JSON as content: a block that is no stack is put into one. */
  readonly content: { readonly type: 'stack' }
}

const example = /((?:!\[[^\]]*\]\([^)]*\)\s+)+)```json\n([\s\S]*?)```/g

export function readGuide(): GuideExample[] {
  const text = readFileSync(join(docsFolder, 'use/content.md'), 'utf8')
  return [...text.matchAll(example)].map(([, pictures = '', json = '']) => {
    const block = JSON.parse(json) as { readonly type: 'stack' }
    return {
      pictures: [...pictures.matchAll(/\(\.\.\/pictures\/content\/([\w-]+)\.png\)/g)].map(
        ([, name = '']) => name,
      ),
      content: block.type === 'stack' ? block : { type: 'stack', children: [block] },
    }
  })
}
