import type { Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { examplePersonQuery, type PickedAddress } from '#records/signatures/example-person.ts'
import {
  type PreviewKind,
  type PreviewSource,
  type PreviewView,
  usePreview,
} from '#records/signatures/preview-state.ts'
import { classes } from '#ui/base/classes.ts'
import { Segments } from '#ui/form/segments.tsx'
import { Select } from '#ui/form/select.tsx'
import { LoadError } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { PersonPicker } from '../person-picker.tsx'

interface PreviewPanelProps {
  readonly signature: Signature
  readonly kind: PreviewKind
  readonly onKind: (kind: PreviewKind) => void
}

export function PreviewPanel({ signature, kind, onKind }: PreviewPanelProps) {
  const t = useTranslations('signatures')
  const format = useFormatter()
  const can = useCan()
  const [person, setPerson] = useState<PickedAddress | null>()
  const [view, setView] = useState<PreviewView>('desktop')
  const [source, setSource] = useState<PreviewSource>(
    signature.has_unpublished_changes ? 'draft' : 'published',
  )
  const [campaign, setCampaign] = useState('auto')
  const example = useQuery({ ...examplePersonQuery, enabled: can('teammates:read') })
  // A real person shows more than placeholders; the field can be emptied.
  useEffect(() => {
    if (person === undefined && example.data) setPerson(example.data)
  }, [person, example.data])
  const { data, error, refetch, isFetching } = usePreview(signature, {
    kind,
    source: signature.content ? source : 'draft',
    emailId: person?.emailId,
    campaign: campaign === 'auto' ? undefined : campaign,
  })
  return (
    <section aria-label={t('tabs.preview')} className="min-w-0 rounded-2xl border border-line bg-card">
      <div className="grid gap-3 border-b border-line p-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <PersonPicker
            label={t('previewAs')}
            value={person ?? undefined}
            onChange={picked => setPerson(picked ?? null)}
          />
          <CampaignSelect value={campaign} onChange={setCampaign} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Segments
            label={t('kind')}
            value={kind}
            onChange={onKind}
            options={(['new', 'reply', 'internal'] as const).map(id => ({ id, label: t(`kinds.${id}`) }))}
          />
          <Segments
            label={t('view')}
            value={view}
            onChange={setView}
            options={[
              { id: 'desktop', label: t('views.desktop'), icon: 'monitor' },
              { id: 'phone', label: t('views.phone'), icon: 'smartphone' },
              { id: 'dark', label: t('views.dark'), icon: 'moon' },
              { id: 'text', label: t('views.text'), icon: 'file-text' },
            ]}
          />
          {signature.content && signature.has_unpublished_changes && (
            <Segments
              label={t('source')}
              value={source}
              onChange={setSource}
              options={(['draft', 'published'] as const).map(id => ({ id, label: t(`sources.${id}`) }))}
            />
          )}
        </div>
      </div>
      <div className={classes('p-4 transition-opacity sm:p-8', isFetching && data && 'opacity-70')}>
        {error && !data ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : (
          <PreviewMail preview={data} view={view} name={person?.name ?? signature.name} />
        )}
      </div>
      {data && (
        <p className="border-t border-line px-4 py-2.5 text-xs text-muted">
          {t('size', { kilobytes: format.number(data.installed_bytes / 1000, { maximumFractionDigits: 1 }) })}
        </p>
      )}
    </section>
  )
}

interface PreviewMailProps {
  readonly preview: { readonly html: string; readonly text: string } | null | undefined
  readonly view: PreviewView
  readonly name: string
}

/** The signature below some lines of a mail, so that sizes can be judged. */
function PreviewMail({ preview, view, name }: PreviewMailProps) {
  const t = useTranslations('signatures')
  if (preview === undefined) return <div className="h-56 animate-pulse rounded-xl bg-sunken" />
  if (preview === null || preview.html === '')
    return (
      <p className="py-16 text-center text-muted">
        {preview === null ? t('hiddenOnKind') : t('emptyContent')}
      </p>
    )
  if (view === 'text')
    return (
      <pre className="overflow-x-auto rounded-xl bg-sunken p-5 text-[0.8125rem] whitespace-pre-wrap">
        {preview.text}
      </pre>
    )
  const isDark = view === 'dark'
  const lines = isDark ? 'bg-[#3a3a3a]' : 'bg-[#e8eaee]'
  return (
    <div
      className={classes(
        'mx-auto overflow-hidden border border-line shadow-raised',
        isDark ? 'bg-[#1b1b1b]' : 'bg-white',
        view === 'phone' ? 'max-w-[22.5rem] rounded-[1.75rem] p-5' : 'rounded-xl p-5 sm:p-8',
      )}
    >
      <div aria-hidden="true" className="mb-6 grid gap-2.5">
        {['w-1/3', 'w-full', 'w-11/12', 'w-2/3'].map(width => (
          <span key={width} className={classes('block h-2.5 rounded', width, lines)} />
        ))}
      </div>
      <SignatureFrame
        html={preview.html}
        title={t('signatureOf', { name })}
        isDark={isDark}
        width={view === 'phone' ? 320 : 620}
      />
    </div>
  )
}

function CampaignSelect({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (id: string) => void
}) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { data = [] } = useQuery({
    queryKey: ['campaigns', 'all'],
    queryFn: () => api.marketingCampaigns.list({ limit: 100 }),
    enabled: can('marketing_campaigns:read'),
    staleTime: 30_000,
  })
  const options = [
    { id: 'auto', label: t('campaignAuto') },
    { id: 'none', label: t('campaignNone') },
    ...data.map(({ id, name }) => ({ id, label: name })),
  ]
  return <Select label={t('campaign')} options={options} value={value} onChange={onChange} />
}
