// Changes the name, the folder or the priority of a signature.
import type { Folder, RequestOptions, Signature, SignatureListItem, SignaturePatch } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { foldersQuery, refreshSignatures } from '#records/signatures/signature-data.ts'
import { useEdit, useValueText } from '#state/use-edit.ts'

interface SignatureEditOptions {
  readonly isDirty?: boolean
  readonly onDiscard?: () => void
}

/** See `useEdit`. */
export function useSignatureEdit(
  signature: Pick<SignatureListItem, 'id' | 'name' | 'folder_id'>,
  { onDiscard, ...options }: SignatureEditOptions = {},
): (patch: SignaturePatch) => Promise<Signature> {
  const t = useTranslations('signatures')
  const valueText = useValueText()
  const labels: Readonly<Record<string, string>> = {
    name: t('name'),
    folder_id: t('folder'),
    priority: t('priority'),
  }
  const folderName = (id: unknown) =>
    queryClient.getQueryData<Folder[]>(foldersQuery.queryKey)?.find(folder => folder.id === id)?.name ??
    t('noFolder')
  return useEdit({
    ...options,
    seen: signature,
    read: () => api.signatures.get(signature.id),
    save: (patch: SignaturePatch, request: RequestOptions) =>
      api.signatures.update(signature.id, patch, request),
    labelOf: key => labels[key] ?? key,
    textOf: (value, key) => (key === 'folder_id' ? folderName(value) : valueText(value)),
    onDiscard: () => {
      onDiscard?.()
      void refreshSignatures()
    },
  })
}
