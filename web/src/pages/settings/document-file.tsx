// The file of an invoice. The service keeps most of them; others are at the system that issued them.
import type { FinancialDocument } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-texts.ts'
import { Button } from '#ui/button.tsx'
import { saveFile } from '#ui/download.ts'
import { Icon } from '#ui/icon.tsx'
import { toastError } from '#ui/toast.tsx'

type LinkedFile = NonNullable<FinancialDocument['file']>

export const FileLink = ({ file, label }: { readonly file: LinkedFile; readonly label: string }) => (
  <a
    href={file.url}
    download={file.filename}
    className="inline-flex min-h-6 items-center gap-1.5 text-accent underline-offset-2 hover:underline"
  >
    <Icon name="download" size={14} />
    {label}
  </a>
)

/** A link would not say which workspace this tab shows. */
function KeptFile({ id, number, file }: Pick<FinancialDocument, 'id' | 'number'> & { file: LinkedFile }) {
  const t = useTranslations('settings.billing')
  const messageOf = useMessageOf()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(file.filename, await (await api.financialDocuments.file(id)).blob()),
    onError: error => toastError(messageOf(error)),
  })
  return (
    <Button
      isSmall
      icon="download"
      isPending={isPending}
      aria-label={t('downloadOne', { number })}
      onPress={() => mutate()}
    >
      {t('download')}
    </Button>
  )
}

export function DocumentFile({ document }: { readonly document: FinancialDocument }) {
  const t = useTranslations('settings.billing')
  const { id, number, file } = document
  if (!file) return null
  const isKept = file.url.endsWith(`/v1/financial_documents/${id}/file`)
  return isKept ? <KeptFile {...{ id, number, file }} /> : <FileLink file={file} label={t('invoice')} />
}
