// The files of docs/: which exist, and their bytes.
import { glob, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const docsFolder = join(import.meta.dirname, '../../../../docs')

/** Files of the folder that this service serves: guides, pictures and examples; not the documents for developers. */
const served = [
  '{use,connect,operate,build}/*.md',
  'connect/directories/*.md',
  'pictures/*.{png,webp}',
  'pictures/*/*.png',
  'examples/*',
]

/** A guide keeps its name, and so its address, when it moves to another folder: `use/content.md` is `content`. */
export const guideName = (path: string): string =>
  path.replace(/^(use|connect|operate|build)\//, '').replace(/\.md$/, '')

/** By their former names: guides that links in mails and bookmarks can still ask for. */
export const renamedGuides: ReadonlyMap<string, string> = new Map([
  ['import', 'import-signature'],
  ['pictures', 'profile-pictures'],
  ['webhook', 'custom-channel'],
  ['webhooks', 'event-webhooks'],
])

/** Paths from the folder. */
export async function listDocs(): Promise<ReadonlySet<string>> {
  const paths: string[] = []
  for await (const path of glob(served, { cwd: docsFolder })) paths.push(path)
  return new Set(paths.sort())
}

export const readDoc = (path: string): Promise<Buffer> => readFile(join(docsFolder, path))

/** The displayed size of a PNG with two pixels per CSS pixel: half of the numbers in its header. */
export async function pictureSize(path: string): Promise<readonly [width: number, height: number]> {
  const file = await open(join(docsFolder, path))
  try {
    const { buffer } = await file.read(Buffer.alloc(24), 0, 24, 0)
    return [Math.round(buffer.readUInt32BE(16) / 2), Math.round(buffer.readUInt32BE(20) / 2)]
  } finally {
    await file.close()
  }
}
