// The links to personal pages: of one address, to copy or open; of all recipients of a signature, as a file.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { copyText } from '#ui/base/copy-text.ts'
import { csvOf, saveFile } from '#ui/base/download.ts'
import { Icon } from '#ui/base/icon.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'

/** Shows nothing where personal pages are switched off, or where the role may not see links. */
export function PersonalPageButtons({
  emailId,
  address,
}: {
  readonly emailId: string
  readonly address: string
}) {
  const t = useTranslations('shell.links')
  const isAllowed = useCan()('signatures:write')
  const { data: page } = useQuery({
    queryKey: ['emails', emailId, 'personal-page'],
    queryFn: () => api.emails.personalPage.get(emailId),
    enabled: isAllowed && emailId !== '',
  })
  const copy = useMutation({
    mutationFn: copyText,
    onSuccess: () => toast(t('copied', { address })),
    onError: () => toastError(t('notCopied')),
  })
  if (!page || !isAllowed) return null
  return (
    <>
      <Button isSmall icon="link" onPress={() => copy.mutate(page.url)}>
        {t('copy')}
      </Button>
      <a href={page.url} target="_blank" rel="noreferrer" className={buttonClasses('secondary', true)}>
        {t('open')}
        <Icon name="external-link" />
      </a>
    </>
  )
}

/** Requests at a time. */
const maxRequests = 4

async function linksOf(signatureId: string, onProgress: (count: number) => void) {
  const rows: { address: string; url: string }[] = []
  const recipients = api.signatures.recipients.list(signatureId, { limit: 100 })[Symbol.asyncIterator]()
  const work = async () => {
    for (let next = await recipients.next(); !next.done; next = await recipients.next()) {
      const { id, address } = next.value
      rows.push({ address, url: (await api.emails.personalPage.get(id)).url })
      onProgress(rows.length)
    }
  }
  await Promise.all(Array.from({ length: maxRequests }, work))
  return rows.sort((a, b) => a.address.localeCompare(b.address))
}

/** A file with one link per recipient, to send them by any other way than the service's own mail. */
export function LinkListButton({
  signature,
}: {
  readonly signature: { readonly id: string; readonly name: string }
}) {
  const t = useTranslations('shell.links')
  const locale = useLocale()
  const messageOf = useMessageOf()
  const isAllowed = useCan()('signatures:write')
  const [count, setCount] = useState(0)
  const { mutate, isPending } = useMutation({
    mutationFn: () => linksOf(signature.id, setCount),
    onSuccess: rows => {
      const table = [[t('address'), t('link')], ...rows.map(({ address, url }) => [address, url])]
      // Spreadsheets of German systems separate by semicolons.
      saveFile(t('file', { name: signature.name }), csvOf(table, locale === 'de' ? ';' : ','))
      toast(t('saved', { count: rows.length }))
    },
    onError: error => toastError(messageOf(error)),
    onSettled: () => setCount(0),
  })
  if (!isAllowed) return null
  return (
    <Button isSmall icon="download" isPending={isPending} onPress={() => mutate()}>
      {isPending && count > 0 ? t('reading', { count }) : t('list')}
      <span className="sr-only">: {signature.name}</span>
    </Button>
  )
}
