// The addresses of pictures. The renderer asks for them while it draws and cannot wait, and only the service can make
// them. An address that is not known yet is collected; all of them are fetched together, and then listeners are told.
import type { PictureRequest } from '@signoff/sdk'

export interface FoundPicture {
  readonly url: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Whose pictures: the id of an address, or null for placeholders. */
export type PictureOwner = string | null

/** In the order of the requests; null where there is no such picture. */
type FetchPictures = (
  owner: PictureOwner,
  requests: readonly PictureRequest[],
) => Promise<readonly (FoundPicture | null)[]>

interface Wanted {
  readonly owner: PictureOwner
  readonly request: PictureRequest
}

/** The most that the service takes in one request. */
const maxBatch = 200
/** Dragging the edge of a picture asks for every size on the way. */
const maxPictures = 5_000
const maxWaiting = 1_000
/** A picture whose fetch has failed this often is left alone until `forgetFailures`. */
const maxAttempts = 3

export class PictureCache {
  readonly #fetch: FetchPictures
  /** Null: there is no such picture. */
  readonly #pictures = new Map<string, FoundPicture | null>()
  readonly #waiting = new Map<string, Wanted>()
  readonly #outdated = new Set<string>()
  readonly #attempts = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #version = 0
  #isFetching = false

  constructor(fetch: FetchPictures) {
    this.#fetch = fetch
  }

  /** Undefined: not known yet. It is fetched, and listeners are told when it is there. */
  find(owner: PictureOwner, request: PictureRequest): FoundPicture | null | undefined {
    const key = JSON.stringify([owner, request])
    const picture = this.#pictures.get(key)
    if ((picture !== undefined && !this.#outdated.has(key)) || this.#waiting.has(key)) return picture
    if ((this.#attempts.get(key) ?? 0) < maxAttempts) this.#add(key, { owner, request })
    return picture
  }

  /** The values of a person can have changed: known pictures are shown, and fetched again on the next demand. */
  refresh(owner: PictureOwner): void {
    const start = JSON.stringify([owner]).slice(0, -1)
    for (const key of this.#pictures.keys()) if (key.startsWith(start)) this.#outdated.add(key)
  }

  /** True while addresses are missing that will come. */
  get isIncomplete(): boolean {
    return this.#waiting.size > 0
  }

  /** Changes whenever pictures arrive. */
  readonly getVersion = (): number => this.#version

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** For a connection that is back: pictures that have failed are fetched again on the next demand. */
  forgetFailures(): void {
    this.#attempts.clear()
    this.tell()
  }

  #add(key: string, entry: Wanted): void {
    // The oldest are of renderings that have been replaced. Those in flight are answered anyway.
    if (this.#waiting.size >= maxWaiting) deleteFirst(this.#waiting)
    this.#waiting.set(key, entry)
    if (this.#isFetching) return
    this.#isFetching = true
    // After the rendering that is under way, so that all its pictures are in one request.
    queueMicrotask(() => void this.#fetchAll())
  }

  async #fetchAll(): Promise<void> {
    while (this.#waiting.size > 0) await this.#fetchBatch()
    this.#isFetching = false
  }

  async #fetchBatch(): Promise<void> {
    const [first] = this.#waiting.values()
    const batch = [...this.#waiting].filter(([, { owner }]) => owner === first?.owner).slice(0, maxBatch)
    const keys = batch.map(([key]) => key)
    try {
      const pictures = await this.#fetch(
        first?.owner ?? null,
        batch.map(([, { request }]) => request),
      )
      for (const [index, key] of keys.entries()) this.#keep(key, pictures[index] ?? null)
    } catch {
      // Listeners are not told: their rendering would ask again at once, and the fault need not be over.
      for (const key of keys) this.#attempts.set(key, (this.#attempts.get(key) ?? 0) + 1)
      for (const key of keys) this.#waiting.delete(key)
      return
    }
    for (const key of keys) this.#waiting.delete(key)
    this.tell()
  }

  #keep(key: string, picture: FoundPicture | null): void {
    if (this.#pictures.size >= maxPictures) {
      deleteFirst(this.#pictures)
      // Rather rare: the set has keys of known pictures alone.
      for (const outdated of this.#outdated)
        if (!this.#pictures.has(outdated)) this.#outdated.delete(outdated)
    }
    this.#pictures.set(key, picture)
    this.#outdated.delete(key)
    this.#attempts.delete(key)
  }

  /** Draws again: pictures have arrived, or their files have. */
  tell(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}

const deleteFirst = (map: Map<string, unknown>): void => {
  const [key] = map.keys()
  if (key !== undefined) map.delete(key)
}

// Keeps a picture on the screen while it gets another size, crop or colour: the former file stays until the address of
// the new one is known and the browser has loaded its file.

export interface ShownPicture extends FoundPicture {
  /** The file has another size than the request: the browser scales it. */
  readonly isFormer?: boolean
}

/** Resolves when the browser has the file, or cannot get it. */
type LoadFile = (url: string) => Promise<void>

/** The oldest are of sizes on the way of a drag. */
const maxRemembered = 1_000

const deleteOldest = (entries: Map<string, unknown> | Set<string>): void => {
  const [oldest] = entries.keys()
  if (entries.size > maxRemembered && oldest !== undefined) entries.delete(oldest)
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
    const picture = this.#cache.find(owner, request)
    if (picture === null || request.kind === 'contact_card') return picture
    const subject = subjectOf(owner, request)
    const former = this.#latest.get(subject)
    if (picture && (!former || this.#loaded.has(picture.url))) {
      this.#keep(subject, picture)
      return picture
    }
    if (picture) this.#begin(picture.url)
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
