// What people would not see of a campaign, in words, as the service finds it.
import type { MarketingCampaign, MarketingCampaignWarning } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { campaignPath } from '#records/campaigns/campaign-data.ts'
import { Notice } from '#ui/page.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { MissingPlaces } from './missing-places.tsx'

interface CampaignWarningsProps {
  readonly campaign: MarketingCampaign
  readonly warnings: readonly MarketingCampaignWarning[]
}

const maxRivals = 5

export function CampaignWarnings({ campaign, warnings }: CampaignWarningsProps) {
  const t = useTranslations('campaigns.warnings')
  const ofCode = (code: MarketingCampaignWarning['code']) => warnings.find(warning => warning.code === code)
  const slots = ofCode('no_banner_slot')
  const rivals = ofCode('overlaps_campaign')?.campaigns ?? []
  return (
    <>
      {slots && <MissingPlaces campaign={campaign} signatures={slots.signatures} />}
      {ofCode('no_audience') && !slots && <Notice kind="warn">{t('noPeople')}</Notice>}
      {ofCode('no_banner') && <Notice kind="warn">{t('noBanner')}</Notice>}
      {rivals.slice(0, maxRivals).map(({ id, name, status, wins }) => (
        <Notice key={id} kind={wins && status === 'active' ? 'warn' : 'info'}>
          {t.rich(wins ? 'overlapWins' : 'overlapLoses', {
            name,
            link: words => <TextLink to={campaignPath(id)}>{words}</TextLink>,
          })}
        </Notice>
      ))}
      {ofCode('mail_unavailable') && <Notice kind="warn">{t('noMail')}</Notice>}
    </>
  )
}
