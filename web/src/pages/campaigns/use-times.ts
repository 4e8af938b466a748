// From when to when a campaign runs, in words.
import type { MarketingCampaign } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'

type Times = Pick<MarketingCampaign, 'start_time' | 'end_time'>

export function useCampaignTimes(): (campaign: Times) => string {
  const t = useTranslations('campaigns.times')
  const format = useFormatter()
  const day = (time: string) =>
    format.dateTime(new Date(time), { day: 'numeric', month: 'short', year: 'numeric' })
  return ({ start_time: start, end_time: end }) => {
    if (start && end) return t('both', { start: day(start), end: day(end) })
    if (start) return t('from', { start: day(start) })
    return end ? t('until', { end: day(end) }) : t('none')
  }
}
