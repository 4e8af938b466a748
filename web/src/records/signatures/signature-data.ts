// What the pages of signatures read, and how a signature stands.
import type { Folder, Signature, SignatureListItem } from '@signoff/sdk'
import { api, readAgain } from '#api/client.ts'
import { type ActionOptions, useAction } from '#ui/feedback/use-action.ts'

/** The page of a signature; without an id, the list. */
export const signaturePath = (id?: string, tab?: 'recipients' | 'versions'): string =>
  ['/signatures', id, tab].filter(Boolean).join('/')

export type SignatureState = 'draft' | 'live' | 'changed' | 'inactive'

export function stateOfSignature(
  signature: Pick<SignatureListItem, 'last_published_at' | 'signature_installation_activated'>,
  hasUnpublishedChanges: boolean,
): SignatureState {
  if (signature.last_published_at === null) return 'draft'
  if (!signature.signature_installation_activated) return 'inactive'
  return hasUnpublishedChanges ? 'changed' : 'live'
}

export const isLiveSignature = (signature: SignatureListItem): boolean =>
  stateOfSignature(signature, false) === 'live'

export const signatureQuery = (id: string) => ({
  queryKey: ['signatures', 'one', id] as const,
  queryFn: (): Promise<Signature> => api.signatures.get(id),
})

/** The ids of published signatures whose draft has changed since: the items of lists do not say it. */
export const changedQuery = {
  queryKey: ['signatures', 'changed'] as const,
  queryFn: async (): Promise<ReadonlySet<string>> => {
    const rows = await api.signatures.list({ status: 'changed', limit: 100 })
    return new Set(rows.map(({ id }) => id))
  },
}

export const foldersQuery = {
  queryKey: ['folders'] as const,
  queryFn: async (): Promise<Folder[]> => {
    const folders: Folder[] = []
    for await (const folder of api.folders.list({ limit: 100, sort: 'name' })) folders.push(folder)
    return folders
  },
}

/** The stored choice of recipients, with the number of addresses that it reaches. */
export const selectionQuery = (id: string) => ({
  queryKey: ['signatures', 'recipients', id, 'selection'] as const,
  queryFn: async () => (await api.signatures.recipients.list(id, { limit: 1 }).raw()).body.selection,
})

/** Lists, cards and pages read again after a change of any signature. */
export const refreshSignatures = () => readAgain('signatures', 'folders')

export const useSignatureAction = <Input = void, Result = unknown>(options: ActionOptions<Input, Result>) =>
  useAction(refreshSignatures, options)
