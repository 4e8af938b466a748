import type { MarketingCampaign } from '@signoff/sdk'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { refreshCampaigns } from '#records/campaigns/campaign-data.ts'
import { IconButton } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, SubmitActions } from '#ui/form.tsx'
import { Page } from '#ui/page.tsx'
import { CampaignMenu } from './campaign-menu.tsx'
import { AudienceCard } from './page/audience-card.tsx'
import { useAudienceDraft } from './page/audience-draft.ts'
import { BannersCard } from './page/banners-card.tsx'
import { CampaignActions } from './page/campaign-actions.tsx'
import { ResultsCard } from './page/results-card.tsx'
import { ScheduleCard } from './page/schedule-card.tsx'
import { CampaignBadge } from './state-badge.tsx'
import { useCampaign, useCampaignEdit } from './use-campaign.ts'

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
    <Dialog title={t('renameTitle')} isOpen onClose={onClose} size="small">
      <Form onSubmit={form => save({ name: String(form.get('name')).trim() })} onDone={done}>
        {({ isPending }) => (
          <>
            <TextField
              label={t('name')}
              name="name"
              defaultValue={campaign.name}
              isRequired
              maxLength={200}
              autoFocus
            />
            <SubmitActions action={t('save')} onCancel={onClose} isPending={isPending} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
