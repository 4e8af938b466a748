// Start, pause, resume and stop. Each says before what will happen.
import type { MarketingCampaign } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { startsLater } from '../schedule-draft.ts'
import type { AudienceDraft } from './audience-draft.ts'
import { BeginDialog } from './begin-dialog.tsx'

type AskedAction = 'begin' | 'stop'

interface CampaignActionsProps {
  readonly campaign: MarketingCampaign
  readonly audience: AudienceDraft
}

export function CampaignActions({ campaign, audience }: CampaignActionsProps) {
  const { id, name, status } = campaign
  const t = useTranslations('campaigns.actions')
  const [asked, setAsked] = useState<AskedAction>()
  const pause = useCampaignAction({
    run: () => api.marketingCampaigns.pause(id),
    done: () => t('paused', { name }),
  })
  return (
    <>
      {(status === 'scheduled' || status === 'active') && (
        <Button icon="pause" isPending={pause.isPending} onPress={() => pause.mutate()}>
          {t('pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button look="primary" icon="play" onPress={() => setAsked('begin')}>
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
      {asked === 'begin' && (
        <BeginDialog campaign={campaign} audience={audience} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'stop' && <StopDialog campaign={campaign} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface AskDialogProps {
  readonly campaign: MarketingCampaign
  readonly onClose: () => void
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
