// Loads the pictures of an imported signature, several at a time, within a time limit for all.
import {
  type AssetDeps,
  type PreparedAsset,
  prepareAsset,
  prepareBytes,
} from '#features/content/assets/index.ts'
import type { Reservation, ReserveMemory } from '#kernel/api/body.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'

/** `bytes` is per picture: those of signatures are far smaller. */
const pictureLimits = {
  count: 20,
  atOnce: 6,
  bytes: 5 * 1024 * 1024,
  milliseconds: 20_000,
  fetchMilliseconds: 8_000,
} as const

/** `problem` is a phrase that follows "the picture …". */
export type LoadedPicture =
  | { readonly ok: true; readonly asset: PreparedAsset }
  | { readonly ok: false; readonly problem: string }

type PictureDeps = Pick<AssetDeps, 'store' | 'fetchPublic'> & ReserveMemory

const dataAddress = /^data:image\/[\w.+-]{1,40}((?:;[\w=.-]{1,40}){0,4}),/i

/** The bytes in a data: address; undefined when it is malformed. */
function bytesIn(address: string): Buffer | undefined {
  const head = dataAddress.exec(address.slice(0, 300))
  if (!head) return undefined
  const body = address.slice(head[0].length)
  try {
    return /;base64/i.test(head[1] ?? '')
      ? Buffer.from(decodeURIComponent(body), 'base64')
      : Buffer.from(decodeURIComponent(body))
  } catch {
    return undefined
  }
}

async function load(db: Db, workspaceId: string, source: string, deps: PictureDeps): Promise<LoadedPicture> {
  const held: Pick<Reservation, 'shrinkTo'>[] = []
  const reserve = async (bytes: number) => {
    const reservation = await deps.reserve(bytes)
    held.push(reservation)
    return reservation
  }
  try {
    if (source.startsWith('http')) {
      const { bytes: maxBytes, fetchMilliseconds: milliseconds } = pictureLimits
      const options = { ...deps, reserve, maxBytes, milliseconds }
      return { ok: true, asset: await prepareAsset(db, workspaceId, { source_url: source }, options) }
    }
    const bytes = bytesIn(source)
    if (bytes === undefined) return { ok: false, problem: 'has a malformed data: address' }
    const upload = { field: 'source_url', bytes, encoding: 'bytes', filename: undefined } as const
    return { ok: true, asset: await prepareBytes(db, workspaceId, upload, deps.store) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [detail] = error.details ?? []
    const problem = (detail?.message ?? error.message).replace(/^source_url /, '')
    return { ok: false, problem }
  } finally {
    // The bytes are stored by now, so the next picture can use their room.
    for (const reservation of held) reservation.shrinkTo(0)
  }
}

const tooLate: LoadedPicture = {
  ok: false,
  problem: `was not loaded within ${pictureLimits.milliseconds / 1_000} seconds, the limit for all pictures`,
}

/** One result per source, in their order. */
export async function loadPictures(
  db: Db,
  workspaceId: string,
  sources: readonly string[],
  deps: PictureDeps,
): Promise<readonly LoadedPicture[]> {
  const results: LoadedPicture[] = sources.map((_, at) =>
    at < pictureLimits.count
      ? tooLate
      : { ok: false, problem: `is beyond the first ${pictureLimits.count} pictures` },
  )
  const allowed = sources.slice(0, pictureLimits.count)
  let next = 0
  let isLate = false
  const worker = async () => {
    while (next < allowed.length && !isLate) {
      const at = next++
      const loaded = await load(db, workspaceId, allowed[at] ?? '', deps)
      if (!isLate) results[at] = loaded
    }
  }
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, pictureLimits.milliseconds)
  const workers = Promise.all(Array.from({ length: pictureLimits.atOnce }, worker))
  try {
    await Promise.race([workers, deadline])
  } finally {
    isLate = true
    clearTimeout(timer)
    // A worker that is still busy ends by itself; its result is not used.
    workers.catch(() => undefined)
  }
  return results
}
