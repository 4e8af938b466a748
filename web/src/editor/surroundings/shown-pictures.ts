// Keeps a picture on the screen while it gets another size, crop or colour: the former file stays until the address of
// the new one is known and the browser has loaded its file.
import type { PictureRequest } from '@signoff/sdk'
import type { FoundPicture, PictureCache, PictureOwner } from './picture-cache.ts'

export interface ShownPicture extends FoundPicture {
  /** The file has another size than the request: the browser scales it. */
  readonly isFormer?: boolean
}

/** Resolves when the browser has the file, or cannot get it. */
export type LoadFile = (url: string) => Promise<void>

/** The oldest are of sizes on the way of a drag. */
const maxRemembered = 1_000

const deleteOldest = (kept: Map<string, unknown> | Set<string>): void => {
  const [oldest] = kept.keys()
  if (kept.size > maxRemembered && oldest !== undefined) kept.delete(oldest)
}

/** The same for all sizes and looks of a picture. */
const subjectOf = (owner: PictureOwner, { kind, asset_id, smart_field_id, icon, code }: PictureRequest) =>
  JSON.stringify([owner, kind, asset_id, smart_field_id, icon?.name, code?.content, code?.url])

export class ShownPictures {
  readonly #cache: Pick<PictureCache, 'find' | 'tell'>
  readonly #load: LoadFile
  readonly #latest = new Map<string, FoundPicture>()
  readonly #loaded = new Set<string>()
  readonly #loading = new Set<string>()

  constructor(cache: Pick<PictureCache, 'find' | 'tell'>, load: LoadFile) {
    this.#cache = cache
    this.#load = load
  }

  /** Undefined: not known yet, and nothing was shown in its place before. */
  find(owner: PictureOwner, request: PictureRequest): ShownPicture | null | undefined {
    const found = this.#cache.find(owner, request)
    if (found === null || request.kind === 'contact_card') return found
    const subject = subjectOf(owner, request)
    const former = this.#latest.get(subject)
    if (found && (!former || this.#loaded.has(found.url))) {
      this.#keep(subject, found)
      return found
    }
    if (found) this.#begin(found.url)
    return former && { ...former, isFormer: true }
  }

  #keep(subject: string, picture: FoundPicture): void {
    this.#loaded.add(picture.url)
    deleteOldest(this.#loaded)
    // Again at the end, because the first one is the oldest.
    this.#latest.delete(subject)
    this.#latest.set(subject, picture)
    deleteOldest(this.#latest)
  }

  #begin(url: string): void {
    if (this.#loading.has(url)) return
    this.#loading.add(url)
    void this.#load(url).then(() => {
      this.#loading.delete(url)
      this.#loaded.add(url)
      deleteOldest(this.#loaded)
      this.#cache.tell()
    })
  }
}
