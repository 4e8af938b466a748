// Which campaign the banner shows: the one that a recipient would see now, none, or any other.
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Select } from '#ui/form/select.tsx'
import { blocksIn } from '../model/tree.ts'
import { useWorkspaceParts } from '../page/workspace-parts.ts'
import { renderedPersonQuery } from '../surroundings/person.ts'
import { useShownPreview } from './preview-state.ts'

export function CampaignSelect() {
  const t = useTranslations('editor.preview')
  const { campaigns } = useWorkspaceParts()
  const { person, signatureId, campaign, setCampaign, drawnTree } = useShownPreview()
  const { data: rendered } = useQuery(renderedPersonQuery(person, signatureId))
  const hasBanner = [...blocksIn(drawnTree)].some(({ type }) => type === 'marketing')
  if (!hasBanner || signatureId === undefined) return null
  const [first] = rendered?.running_campaigns ?? []
  const now = campaigns.find(({ id }) => id === first?.campaign_id)
  const options = [
    {
      id: 'running',
      label: now ? t('campaignNow', { name: now.name }) : t('campaignNoneNow'),
      hint: t('campaignNowHint'),
    },
    { id: 'none', label: t('campaignNone') },
    ...campaigns.map(({ id, name }) => ({ id, label: name })),
  ]
  return (
    <Select
      label={t('campaign')}
      isLabelHidden
      value={campaign}
      onChange={setCampaign}
      options={options}
      className="min-w-0 max-w-44 flex-1 basis-36 md:max-w-72"
    />
  )
}
