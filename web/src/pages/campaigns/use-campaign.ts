// One campaign, and changes of it that never overwrite what another person has saved meanwhile.
import type { MarketingCampaign, MarketingCampaignPatch, RequestOptions } from '@signoff/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { refreshCampaigns } from '#records/campaigns/campaign-data.ts'
import { type EditOptions, useEdit, useValueText } from '#state/use-edit.ts'

type SaveCampaign = (patch: MarketingCampaignPatch) => Promise<MarketingCampaign>

export const useCampaign = (id: string): MarketingCampaign =>
  useSuspenseQuery({
    queryKey: ['campaigns', 'one', id] as const,
    queryFn: () => api.marketingCampaigns.get(id),
  }).data

const partNames = [
  'name',
  'start_time',
  'end_time',
  'time_zone',
  'send_email',
  'content',
  'variants',
  'smart_fields_conditions',
  'signature_template_ids',
] as const

/** Times that the service wrote are instants; those of the form are read in the time zone of the campaign. */
function useTimeText(timeZone: string): (time: string) => string {
  const format = useFormatter()
  const styles = { dateStyle: 'medium', timeStyle: 'short' } as const
  return time =>
    time.endsWith('Z')
      ? format.dateTime(new Date(time), { ...styles, timeZone })
      : format.dateTime(new Date(`${time}Z`), { ...styles, timeZone: 'UTC' })
}

type CampaignEditOptions = Partial<
  Pick<EditOptions<MarketingCampaign, MarketingCampaignPatch>, 'isDirty' | 'partsOf' | 'onDiscard'>
>

/** See `useEdit`: the edit begins when the component is mounted, or with the first change. */
export function useCampaignEdit(
  campaign: MarketingCampaign,
  { onDiscard, ...options }: CampaignEditOptions = {},
): SaveCampaign {
  const t = useTranslations('campaigns')
  const { id } = campaign
  const timeText = useTimeText(campaign.time_zone)
  const valueText = useValueText()
  return useEdit({
    ...options,
    seen: campaign,
    read: () => api.marketingCampaigns.get(id),
    save: (patch: MarketingCampaignPatch, request: RequestOptions) =>
      api.marketingCampaigns.update(id, patch, request),
    labelOf: key => {
      const part = partNames.find(name => name === key)
      return part ? t(`parts.${part}`) : key
    },
    textOf: (value, key) => {
      if (key.endsWith('_time') && typeof value === 'string') return timeText(value)
      return Array.isArray(value) && key !== 'time_zone'
        ? t('partCount', { count: value.length })
        : valueText(value)
    },
    onDiscard: () => {
      onDiscard?.()
      void refreshCampaigns()
    },
  })
}
