// The originals of pasted signatures, kept in this browser for the editor, which shows them beside the canvas.
import type { ContentImport } from '@signoff/sdk'
import { BrowserTable, ownKeys } from './browser-table.ts'

/** A signature has at most 256 KB of HTML; the oldest originals make room. */
const maxOriginals = 20

export interface StoredOriginal {
  readonly html: string
  /** What the import left out or changed. */
  readonly changes: ContentImport['not_mapped']
  /** The person has closed it in the editor. */
  readonly isClosed?: boolean
}

interface OriginalRow extends StoredOriginal {
  readonly storedAt: number
}

const originals = new BrowserTable<OriginalRow>('originals')

/** A browser that stores nothing (a private window, a full disk) only lacks the original in the editor. */
const ignoreFailure = () => undefined

async function storeOwn(signatureId: string, original: StoredOriginal): Promise<void> {
  const key = (await ownKeys()) + signatureId
  const others = (await originals.read('')).filter(each => each.key !== key)
  const oldest = others
    .toSorted((one, other) => other.row.storedAt - one.row.storedAt)
    .slice(maxOriginals - 1)
  await originals.change({
    put: [{ key, row: { ...original, storedAt: Date.now() } }],
    remove: oldest.map(each => each.key),
  })
}

export const storeOriginal = (signatureId: string, original: StoredOriginal): Promise<void> =>
  storeOwn(signatureId, original).catch(ignoreFailure)

export const originalQuery = (signatureId: string | undefined) => ({
  queryKey: ['originals', signatureId] as const,
  queryFn: async (): Promise<StoredOriginal | null> => {
    if (signatureId === undefined) return null
    const rows = await originals.read((await ownKeys()) + signatureId).catch(ignoreFailure)
    return rows?.[0]?.row ?? null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** At the end of a session: a pasted signature has the data of a person. */
export async function forgetOriginals(): Promise<void> {
  const rows = await originals.read('').catch(ignoreFailure)
  await originals.change({ remove: (rows ?? []).map(({ key }) => key) }).catch(ignoreFailure)
}
