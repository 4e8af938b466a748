// The files of the built dashboard, compressed, in memory.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

interface StoredFile {
  readonly type: string
  /** Fonts and pictures are compressed already. */
  readonly plain?: Buffer
  readonly gzip?: Buffer
  readonly brotli?: Buffer
}

export interface ServedFile {
  readonly body: Buffer
  readonly type: string
  readonly encoding: 'br' | 'gzip' | null
}

export class DashboardFiles {
  readonly #files: ReadonlyMap<string, StoredFile>
  /** The page, with `%NONCE%` where the nonce goes. */
  readonly page: string

  private constructor(files: ReadonlyMap<string, StoredFile>, page: string) {
    this.#files = files
    this.page = page
  }

  static async load(folder: string): Promise<DashboardFiles> {
    const names = await readdir(folder)
    const files = new Map<string, StoredFile>()
    for (const name of names) {
      const type = types[extname(name)]
      if (type === undefined) continue
      const isCompressed = names.includes(`${name}.br`)
      files.set(
        name,
        isCompressed
          ? {
              type,
              gzip: await readFile(join(folder, `${name}.gz`)),
              brotli: await readFile(join(folder, `${name}.br`)),
            }
          : { type, plain: await readFile(join(folder, name)) },
      )
    }
    return new DashboardFiles(files, await readFile(join(folder, 'index.html'), 'utf8'))
  }

  /** `accepted`: the Accept-Encoding header. */
  find(name: string, accepted: string): ServedFile | undefined {
    const file = this.#files.get(name)
    if (!file) return undefined
    const { type, plain, gzip, brotli } = file
    if (plain) return { body: plain, type, encoding: null }
    if (brotli && /\bbr\b/.test(accepted)) return { body: brotli, type, encoding: 'br' }
    if (gzip && /\bgzip\b/.test(accepted)) return { body: gzip, type, encoding: 'gzip' }
    return gzip && { body: gunzipSync(gzip), type, encoding: null }
  }
}
