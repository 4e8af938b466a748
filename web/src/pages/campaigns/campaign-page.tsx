import type { MarketingCampaign } from '@signoff/sdk'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { refreshCampaigns, useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Page } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { CampaignMenu } from './campaign-menu.tsx'
import { AudienceCard } from './page/audience-card.tsx'
import { type AudienceDraft, useAudienceDraft } from './page/audience-draft.ts'
import { BannersCard } from './page/banners-card.tsx'
import { BeginDialog } from './page/begin-dialog.tsx'
import { ResultsCard } from './page/results-card.tsx'
import { ScheduleCard } from './page/schedule-card.tsx'
import { startsLater } from './schedule-draft.ts'
import { CampaignBadge } from './state-badge.tsx'
import { useCampaign, useCampaignEdit } from './use-campaign.ts'

type AskedAction = 'begin' | 'stop'

interface CampaignActionsProps {
  readonly campaign: MarketingCampaign
  readonly audience: AudienceDraft
}

/** Start, pause, resume and stop. Each says before what will happen. */
function CampaignActions({ campaign, audience }: CampaignActionsProps) {
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
        <Button variant="primary" icon="play" onPress={() => setAsked('begin')}>
          {t('resume')}
        </Button>
      )}
      {status === 'draft' && (
        <Button variant="primary" icon="rocket" onPress={() => setAsked('begin')}>
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
    <ConfirmDialog title={t('stopTitle', { name })} action={t('stop')} onClose={onClose} mutation={stop}>
      {t('stopText')}
    </ConfirmDialog>
  )
}

export default function CampaignPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <CampaignView key={id} id={id} />
}

function CampaignView({ id }: { readonly id: string }) {
  const t = useTranslations('campaigns')
  const can = useCan()
  const [isRenaming, setIsRenaming] = useState(false)
  const campaign = useCampaign(id)
  const audience = useAudienceDraft(campaign)
  const isEditable = can('marketing_campaigns:write') && campaign.status !== 'ended'
  return (
    <Page
      title={campaign.name}
      parent={{ to: '/campaigns', label: t('title') }}
      actions={
        <>
          <CampaignBadge state={campaign.status} />
          {isEditable && (
            <IconButton icon="pen-line" label={t('rename')} onPress={() => setIsRenaming(true)} />
          )}
          {isEditable && <CampaignActions campaign={campaign} audience={audience} />}
          <CampaignMenu campaign={campaign} isOnOwnPage />
        </>
      }
    >
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <BannersCard campaign={campaign} isEditable={isEditable} />
          {can('analytics:read') && campaign.status !== 'draft' && (
            <ResultsCard campaign={campaign} isEditable={isEditable} />
          )}
          <AudienceCard campaign={campaign} isEditable={isEditable} draft={audience} />
        </div>
        <ScheduleCard campaign={campaign} isEditable={isEditable} />
      </div>
      {isRenaming && <RenameDialog campaign={campaign} onClose={() => setIsRenaming(false)} />}
    </Page>
  )
}

interface RenameDialogProps {
  readonly campaign: MarketingCampaign
  readonly onClose: () => void
}

function RenameDialog({ campaign, onClose }: RenameDialogProps) {
  const t = useTranslations('campaigns')
  const save = useCampaignEdit(campaign, { onDiscard: onClose })
  const done = () => {
    onClose()
    void refreshCampaigns()
  }
  return (
    <FormDialog
      title={t('renameTitle')}
      onClose={onClose}
      size="small"
      onSubmit={form => save({ name: String(form.get('name')).trim() })}
      onDone={done}
      action={t('save')}
    >
      <TextField
        label={t('name')}
        name="name"
        defaultValue={campaign.name}
        isRequired
        maxLength={200}
        autoFocus
      />
    </FormDialog>
  )
}
