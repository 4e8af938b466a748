// The originals of pasted signatures, kept in this browser for the editor, which shows them beside the canvas.
import type { ContentImport } from '@signoff/sdk'
import { BrowserStore } from '#state/browser-store.ts'
import { ownKeys } from './session.ts'

export interface StoredOriginal {
  readonly html: string
  /** Parts that the import left out or changed. */
  readonly changes: ContentImport['not_mapped']
  /** The person has closed it in the editor. */
  readonly isClosed?: boolean
}

/** A signature has at most 256 KB of HTML. */
const originals = new BrowserStore<StoredOriginal>({
  database: 'signoff-originals',
  store: 'originals',
  maxRows: 20,
})

/** A browser that stores nothing (a private window, a full disk) only lacks the original in the editor. */
export async function storeOriginal(signatureId: string, original: StoredOriginal): Promise<void> {
  await ownKeys()
    .then(own => originals.put(own + signatureId, original))
    .catch(() => undefined)
}

export const originalQuery = (signatureId: string | undefined) => ({
  queryKey: ['originals', signatureId] as const,
  queryFn: async (): Promise<StoredOriginal | null> => {
    if (signatureId === undefined) return null
    return (await originals.get((await ownKeys()) + signatureId).catch(() => undefined)) ?? null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** At the end of a session: a pasted signature has the data of a person. */
export const forgetOriginals = (): Promise<void> => originals.removeAll().catch(() => undefined)
