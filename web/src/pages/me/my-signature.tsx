import type { Email, SignatureExplanation } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import type { PreviewKind } from '#records/signatures/preview-state.ts'
import { Button, buttonClasses } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Badge, Card, LoadError, LoadState, Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'

/** Copies rich text: mail programs take the HTML, editors of plain text the text. */
async function copySignature({
  html,
  text,
}: {
  readonly html: string
  readonly text: string
}): Promise<void> {
  const data = { 'text/html': html, 'text/plain': text }
  if (globalThis.ClipboardItem && navigator.clipboard?.write) {
    const blobs = Object.entries(data).map(([type, content]) => [type, new Blob([content], { type })])
    return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
  }
  // Without https browsers know only the older way.
  const fill = (event: ClipboardEvent) => {
    event.preventDefault()
    for (const [type, content] of Object.entries(data)) event.clipboardData?.setData(type, content)
  }
  document.addEventListener('copy', fill, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill)
  if (!isCopied) throw new Error('The browser refused to copy.')
}

const kinds = ['new', 'reply', 'internal'] as const

/** The preview of the signature of one address, and the way into the mail program. */
export function MySignature({ email }: { readonly email: Email }) {
  const t = useTranslations('me')
  const [kind, setKind] = useState<PreviewKind>('new')
  const { data, error, refetch } = useQuery({
    queryKey: ['my_signature', email.id, kind],
    queryFn: () => api.emails.explainSignature(email.id, { kind }),
  })
  return (
    <Card
      title={email.address}
      actions={
        <Segments
          label={t('kind')}
          value={kind}
          onChange={setKind}
          options={kinds.map(id => ({ id, label: t(`kinds.${id}`) }))}
        />
      }
    >
      <LoadState query={{ data, error, refetch }} lines={5} />
      {data && data.html === null && <NoSignature explanation={data} />}
      {data && data.html !== null && data.signature_id !== null && (
        <>
          <Drawn email={email} kind={kind} />
          <Ways email={email} html={data.html} text={data.text ?? ''} />
        </>
      )}
    </Card>
  )
}

function NoSignature({ explanation }: { readonly explanation: SignatureExplanation }) {
  const t = useTranslations('me')
  return (
    <p className="rounded-xl bg-sunken p-5 text-muted">
      {explanation.signature_id === null ? t('noSignature') : t('noneOnKind')}
    </p>
  )
}

interface DrawnProps {
  readonly email: Email
  readonly kind: PreviewKind
}

/** Drawn without tracking, so that looking at it counts as no view. */
function Drawn({ email, kind }: DrawnProps) {
  const t = useTranslations('me')
  const { data, error, refetch } = useQuery({
    queryKey: ['my_signature', email.id, kind, 'preview'],
    queryFn: () => api.emails.explainSignature(email.id, { kind, tracked: false }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  return (
    <div className="rounded-xl border border-line bg-white p-5">
      <SignatureFrame html={data.html ?? ''} title={t('signatureOf', { address: email.address })} />
    </div>
  )
}

interface WaysProps {
  readonly email: Email
  readonly html: string
  readonly text: string
}

function Ways({ email, html, text }: WaysProps) {
  const t = useTranslations('me')
  const { workspace } = useMe()
  const can = useCan()
  const { data: page } = useQuery({
    queryKey: ['my_signature', email.id, 'page'],
    queryFn: () => api.emails.personalPage.get(email.id),
    enabled: workspace.personal_page_enabled,
    staleTime: 5 * 60_000,
  })
  const { data: installations = [] } = useQuery({
    queryKey: ['my_signature', email.id, 'installations'],
    queryFn: () => api.installations.list({ email_id: email.id, limit: 20 }),
    enabled: can('installations:read'),
  })
  const isInstalled = installations.some(
    ({ status, channel }) => status === 'installed' && channel !== 'personal_page',
  )
  const copy = async () => {
    try {
      await copySignature({ html, text })
      toast(t('copied'), { description: t('copiedNext') })
    } catch {
      toastError(t('copyFailed'))
    }
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      <Button variant="primary" icon="copy" onPress={() => void copy()}>
        {t('copy')}
      </Button>
      {page && (
        <a href={page.url} target="_blank" rel="noreferrer" className={buttonClasses('secondary')}>
          <Icon name="book-open" />
          {t('steps')}
        </a>
      )}
      {isInstalled && <Badge variant="good">{t('installed')}</Badge>}
    </div>
  )
}
