// Start, pause, resume and stop. Each says before what will happen.
import type { MarketingCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/page.tsx'
import { useCampaignAction } from '../campaign-data.ts'
import { audienceCountQuery } from './audience-data.ts'

type AskedAction = 'begin' | 'stop'

const startsLater = ({ start_time: start }: MarketingCampaign): boolean =>
  start !== null && new Date(start) > new Date()

export function CampaignActions({ campaign }: { readonly campaign: MarketingCampaign }) {
  const { id, name, status } = campaign
  const t = useTranslations('campaigns.actions')
  const [asked, setAsked] = useState<AskedAction>()
  const pause = useCampaignAction({
    run: () => api.marketingCampaigns.pause(id),
    done: () => t('paused', { name }),
  })
  const resume = useCampaignAction({
    run: () => api.marketingCampaigns.resume(id),
    done: () => t('resumed', { name }),
  })
  return (
    <>
      {(status === 'scheduled' || status === 'active') && (
        <Button icon="pause" isPending={pause.isPending} onPress={() => pause.mutate()}>
          {t('pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button look="primary" icon="play" isPending={resume.isPending} onPress={() => resume.mutate()}>
          {t('resume')}
        </Button>
      )}
      {status === 'draft' && (
        <Button look="primary" icon="rocket" onPress={() => setAsked('begin')}>
          {startsLater(campaign) ? t('schedule') : t('start')}
        </Button>
      )}
      {status !== 'draft' && (
        <Button icon="x" onPress={() => setAsked('stop')}>
          {t('stop')}
        </Button>
      )}
      {asked === 'begin' && <BeginDialog campaign={campaign} onClose={() => setAsked(undefined)} />}
      {asked === 'stop' && <StopDialog campaign={campaign} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface AskDialogProps {
  readonly campaign: MarketingCampaign
  readonly onClose: () => void
}

function BeginDialog({ campaign, onClose }: AskDialogProps) {
  const { id, name, start_time, time_zone: timeZone, content, variants } = campaign
  const t = useTranslations('campaigns.actions')
  const format = useFormatter()
  const { data: count } = useQuery(audienceCountQuery(campaign))
  const isLater = startsLater(campaign)
  const begin = useCampaignAction({
    run: () => api.marketingCampaigns.schedule(id),
    done: ({ status }) => (status === 'scheduled' ? t('scheduled', { name }) : t('started', { name })),
    after: onClose,
  })
  const start = format.dateTime(new Date(start_time ?? Date.now()), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  })
  const hasBanner = variants.length > 0 ? variants.some(each => each.content !== null) : content !== null
  return (
    <ConfirmDialog
      title={isLater ? t('scheduleTitle', { name }) : t('startTitle', { name })}
      action={isLater ? t('schedule') : t('start')}
      isDangerous={false}
      isOpen
      onClose={onClose}
      onConfirm={() => begin.mutate()}
      isPending={begin.isPending}
    >
      {count !== undefined && (
        <p role="status">
          {isLater
            ? t('scheduleText', { count: count.total, start })
            : t('startText', { count: count.total })}
        </p>
      )}
      {!hasBanner && (
        <div className="mt-3">
          <Notice kind="warn">{t('noBanner')}</Notice>
        </div>
      )}
    </ConfirmDialog>
  )
}

function StopDialog({ campaign: { id, name }, onClose }: AskDialogProps) {
  const t = useTranslations('campaigns.actions')
  const stop = useCampaignAction({
    run: () => api.marketingCampaigns.end(id),
    done: () => t('stopped', { name }),
    after: onClose,
  })
  return (
    <ConfirmDialog
      title={t('stopTitle', { name })}
      action={t('stop')}
      isOpen
      onClose={onClose}
      onConfirm={() => stop.mutate()}
      isPending={stop.isPending}
    >
      {t('stopText')}
    </ConfirmDialog>
  )
}
