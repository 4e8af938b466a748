// A published version beside the draft, for the same person, with the blocks that differ.
import type { SignatureVersionListItem } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { signatureQuery } from '#records/signatures/signature-data.ts'
import { useVersions } from '#records/versions/use-versions.ts'
import { VersionRow } from '#records/versions/version-row.tsx'
import { Button } from '#ui/base/button.tsx'
import { EmptyState, LoadError, LoadState, Skeleton } from '#ui/layout/page.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import type { RenderingOptions } from '../rendering/use-rendering.ts'
import { VersionBesideDraft } from './version-beside-draft.tsx'

interface VersionsDialogProps {
  readonly signatureId: string
  readonly view: RenderingOptions
  readonly onClose: () => void
}

export default function VersionsDialog({ signatureId, view, onClose }: VersionsDialogProps) {
  const t = useTranslations('editor.versions')
  const { data: signature, error, refetch } = useQuery(signatureQuery(signatureId))
  return (
    <Dialog title={t('title')} onClose={onClose} size="wide">
      <LoadState query={{ data: signature, error, refetch }} lines={6} />
      {signature && (
        <Versions
          signatureId={signatureId}
          publishedAt={signature.last_published_at}
          isLive={signature.signature_installation_activated}
          view={view}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface VersionsProps extends VersionsDialogProps {
  readonly publishedAt: string | null
  readonly isLive: boolean
}

function Versions({ signatureId, publishedAt, isLive, view, onClose }: VersionsProps) {
  const t = useTranslations('editor.versions')
  const messages = useTranslations('signatures')
  const [choice, setChoice] = useState<SignatureVersionListItem>()
  const { rows, error, refetch, hasNextPage, fetchNextPage } = useVersions({
    id: signatureId,
    last_published_at: publishedAt,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!rows) return <Skeleton lines={6} />
  const chosen = choice ?? rows[0]
  if (!chosen)
    return (
      <EmptyState icon="history" title={messages('noVersions')}>
        {messages('noVersionsText')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-5 md:grid-cols-[13rem_minmax(0,1fr)]">
      <ol
        aria-label={t('title')}
        className="-mx-2 grid max-h-40 content-start gap-1 overflow-y-auto p-2 md:max-h-[65dvh]"
      >
        {rows.map((row, index) => (
          <VersionRow
            key={row.id}
            row={row}
            isLive={index === 0 && isLive}
            isChosen={row.id === chosen.id}
            onChoose={() => setChoice(row)}
          />
        ))}
        {hasNextPage && (
          <li>
            <Button isSmall variant="quiet" onPress={() => void fetchNextPage()}>
              {messages('showMore')}
            </Button>
          </li>
        )}
      </ol>
      <VersionBesideDraft
        key={chosen.id}
        signatureId={signatureId}
        version={chosen}
        view={view}
        onClose={onClose}
      />
    </div>
  )
}
