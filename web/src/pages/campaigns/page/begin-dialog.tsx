// Starting or resuming a campaign: exactly who shows the banner, and what people would not see, before it starts.
import type { MarketingCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { signatureSlotsQuery } from '#api/banner-slots.ts'
import { api } from '#api/client.ts'
import { useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { ChannelsLine } from '#records/publishing/channels-line.tsx'
import { Button } from '#ui/base/button.tsx'
import { EditProblem } from '#ui/feedback/edit-problem.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Actions, ConfirmDialog, Dialog } from '#ui/overlay/dialog.tsx'
import { bannerOf } from '../banner/banner-model.ts'
import { startsLater } from '../schedule-draft.ts'
import { CampaignWarnings } from '../warnings/campaign-warnings.tsx'
import { audienceCountQuery } from './audience-data.ts'
import type { AudienceDraft } from './audience-draft.ts'

interface BeginDialogProps {
  readonly campaign: MarketingCampaign
  readonly audience: AudienceDraft
  readonly onClose: () => void
}

/** The dialog counts the stored audience, so changes of it are saved or discarded first. */
export function BeginDialog({ campaign, audience, onClose }: BeginDialogProps) {
  const t = useTranslations('campaigns')
  const { isChanged, isComplete, saving, discard } = audience
  if (!isChanged) return <AskToBegin campaign={campaign} onClose={onClose} />
  return (
    <Dialog title={t('actions.unsavedTitle')} onClose={onClose} size="small">
      <p className="text-muted">{t(isComplete ? 'actions.unsavedText' : 'actions.incompleteText')}</p>
      <EditProblem
        error={saving.error}
        isPending={saving.isPending}
        onRetry={() => saving.mutate()}
        onReset={saving.reset}
      />
      <Actions>
        <Button onPress={onClose}>{t('cancel')}</Button>
        <Button onPress={discard}>{t('actions.discardAudience')}</Button>
        {isComplete && (
          <Button variant="primary" isPending={saving.isPending} onPress={() => saving.mutate()}>
            {t('actions.saveAudience')}
          </Button>
        )}
      </Actions>
    </Dialog>
  )
}

/** The way a campaign begins; the texts are named after it. */
type Beginning = 'start' | 'schedule' | 'resume'

function beginningOf(campaign: MarketingCampaign): Beginning {
  if (campaign.status === 'paused') return 'resume'
  return startsLater(campaign) ? 'schedule' : 'start'
}

const done = { active: 'started', scheduled: 'scheduled' } as const

function AskToBegin({ campaign, onClose }: Omit<BeginDialogProps, 'audience'>) {
  const { id, name, start_time, time_zone: timeZone } = campaign
  const t = useTranslations('campaigns.actions')
  const format = useFormatter()
  // A signature can have changed meanwhile.
  const { data: reach } = useQuery({ ...audienceCountQuery(campaign), staleTime: 0 })
  const beginning = beginningOf(campaign)
  const isResumed = beginning === 'resume'
  const begin = useCampaignAction({
    run: () => (isResumed ? api.marketingCampaigns.resume(id) : api.marketingCampaigns.schedule(id)),
    done: ({ status }) => t(isResumed ? 'resumed' : done[status as keyof typeof done], { name }),
    after: onClose,
  })
  const isEmpty = reach?.warnings.some(({ code }) => code === 'no_banner')
  const count = isEmpty ? 0 : (reach?.total ?? 0)
  const start = format.dateTime(new Date(start_time ?? Date.now()), {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone,
  })
  return (
    <ConfirmDialog
      title={t(`${beginning}Title`, { name })}
      action={t(reach && count === 0 ? `${beginning}Anyway` : beginning)}
      isDangerous={false}
      onClose={onClose}
      mutation={begin}
    >
      {reach && (
        <>
          <p role="status" className="text-ink">
            {beginning === 'schedule' ? t('scheduleText', { count, start }) : t('startText', { count })}
          </p>
          {count > 0 && <Ways campaign={campaign} />}
          {count > 0 && <Addresses campaign={campaign} total={count} />}
          <div className="mt-3 grid gap-2">
            <CampaignWarnings campaign={campaign} warnings={reach.warnings} />
            <BannerNotices campaign={campaign} />
          </div>
        </>
      )}
    </ConfirmDialog>
  )
}

/** The mailboxes that change by themselves. */
function Ways({ campaign }: { readonly campaign: MarketingCampaign }) {
  const { signature_template_ids: ids, smart_fields_conditions: conditions } = campaign
  const { data } = useQuery(signatureSlotsQuery)
  if (!data) return null
  const signatures = data.filter(
    ({ id, isLive, hasSlot }) => isLive && hasSlot && (ids.length === 0 || ids.includes(id)),
  )
  return signatures.length > 0 ? (
    <ChannelsLine signatureIds={signatures.map(({ id }) => id)} isPart={conditions.length > 0} />
  ) : null
}

const listedAddresses = 100

function Addresses({ campaign, total }: { readonly campaign: MarketingCampaign; readonly total: number }) {
  const t = useTranslations('campaigns.audience')
  const { data = [] } = useQuery({
    queryKey: ['campaigns', 'audience', campaign.id, 'first', campaign.updated_at],
    queryFn: () => api.marketingCampaigns.audience(campaign.id, { limit: listedAddresses }),
  })
  return (
    <details className="mt-2 text-[0.8125rem]">
      <summary className="inline-block min-h-6 rounded hover:text-ink">{t('show')}</summary>
      <ul className="mt-1 max-h-40 overflow-y-auto rounded-lg bg-sunken p-2">
        {data.map(({ id, address }) => (
          <li key={id} className="truncate">
            {address}
          </li>
        ))}
        {total > data.length && <li>{t('moreSignatures', { count: total - data.length })}</li>}
      </ul>
    </details>
  )
}

/** Notices about what readers would miss: a banner without a picture, or one that leads nowhere. */
function BannerNotices({ campaign: { name, content, variants } }: { readonly campaign: MarketingCampaign }) {
  const t = useTranslations('campaigns.actions')
  const banners = variants.length > 0 ? variants.filter(({ weight }) => weight > 0) : [{ name, content }]
  const empty = banners.filter(banner => banner.content === null)
  const unlinked = banners.filter(banner => banner.content !== null && bannerOf(banner.content)?.href === '')
  // Then the service warns.
  if (empty.length === banners.length) return null
  return (
    <>
      {empty.map(banner => (
        <Notice key={banner.name} kind="warn">
          {t('emptyBanner', { name: banner.name })}
        </Notice>
      ))}
      {unlinked.map(banner => (
        <Notice key={banner.name} kind="warn">
          {variants.length > 0 ? t('noLinkOf', { name: banner.name }) : t('noLink')}
        </Notice>
      ))}
    </>
  )
}
