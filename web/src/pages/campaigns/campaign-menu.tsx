// What can be done with a campaign as a whole: in the list and on its page.
import type { MarketingCampaign } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { campaignPath, copyOf, useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { MoreMenu } from '#ui/overlay/menu.tsx'

interface CampaignMenuProps {
  readonly campaign: MarketingCampaign
  /** The page of the campaign itself, which is left when it is deleted. */
  readonly isOnOwnPage?: boolean
}

export function CampaignMenu({ campaign, isOnOwnPage = false }: CampaignMenuProps) {
  const { id, name, status } = campaign
  const t = useTranslations('campaigns')
  const can = useCan()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const duplicate = useCampaignAction({
    run: () => api.marketingCampaigns.create(copyOf(campaign, t('copyName', { name }))),
    done: copy => t('duplicated', { name: copy.name }),
    after: copy => void navigate({ to: campaignPath(copy.id) }),
  })
  const remove = useCampaignAction({
    run: () => api.marketingCampaigns.delete(id),
    done: () => t('deleted', { name }),
    after: () => {
      setIsAsking(false)
      if (isOnOwnPage) void navigate({ to: campaignPath() })
    },
  })
  const canWrite = can('marketing_campaigns:write')
  const canDelete = can('marketing_campaigns:delete')
  if (!canWrite && !canDelete) return null
  return (
    <>
      <MoreMenu
        label={t('actionsOf', { name })}
        entries={[
          canWrite && {
            id: 'duplicate',
            label: t('duplicate'),
            icon: 'copy',
            onAction: () => duplicate.mutate(),
          },
          canDelete && {
            id: 'delete',
            label: t('delete'),
            icon: 'trash-2',
            isDangerous: true,
            beginsGroup: true,
            onAction: () => setIsAsking(true),
          },
        ]}
      />
      <ConfirmDialog
        title={t('deleteTitle', { name })}
        action={t('delete')}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        mutation={remove}
      >
        {status === 'active' ? t('deleteLiveText') : t('deleteText')}
      </ConfirmDialog>
    </>
  )
}
