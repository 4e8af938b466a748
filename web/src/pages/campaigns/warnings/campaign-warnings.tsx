// What people would not see of a campaign, in words, as the service finds it.
import type { MarketingCampaign, MarketingCampaignWarning } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useCan, useMe } from '#api/session.ts'
import { campaignPath, refreshCampaigns } from '#records/campaigns/campaign-data.ts'
import { refreshSignatures, signaturePath } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/base/button.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { LoadError, Notice } from '#ui/layout/page.tsx'
import { useNames } from '../use-names.ts'
import { addSlots, publishSlots, type SlotProgress, slotsQuery } from './slot-data.ts'

interface MissingSlotsProps {
  readonly campaign: MarketingCampaign
  readonly signatures: readonly { readonly id: string; readonly name: string }[]
}

/** Signatures without a place for banners, and the way to one: it is added to the drafts, then these are published. */
function MissingSlots({ campaign, signatures }: MissingSlotsProps) {
  const t = useTranslations('campaigns.warnings')
  const audience = useTranslations('campaigns.audience')
  const names = useNames()
  const canWrite = useCan()('signatures:write')
  return (
    <Notice kind="warn">
      <p>{audience('withoutPlace', { names: names(signatures), count: signatures.length })}</p>
      {canWrite ? (
        <SlotSteps campaign={campaign} signatures={signatures} />
      ) : (
        <p className="mt-1">{t('placeByOthers')}</p>
      )}
    </Notice>
  )
}

const refresh = () => Promise.all([refreshSignatures(), refreshCampaigns()])

function SlotSteps({ campaign, signatures }: MissingSlotsProps) {
  const t = useTranslations('campaigns.warnings')
  const names = useNames()
  const me = useMe()
  const ids = signatures.map(({ id }) => id)
  const { data, error, refetch } = useQuery(slotsQuery(ids, campaign.id))
  const add = useAction(refresh, { run: addSlots })
  const publish = useAction(refresh, {
    run: publishSlots,
    done: (waiting, slots) =>
      waiting > 0 ? t('approvalAsked') : t('placesPublished', { count: slots.length }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const inState = (state: SlotProgress['state']) => data.filter(slot => slot.state === state)
  const [missing, ready, waiting] = [inState('missing'), inState('ready'), inState('waiting')]
  const needsApproval = me.workspace.publish_approval === 'required' && me.member.role === 'manager'
  if (missing.length > 0)
    return (
      <>
        <p className="mt-1">{t('placeHint')}</p>
        <Button isSmall className="mt-2" isPending={add.isPending} onPress={() => add.mutate(data)}>
          {t('addPlace', { count: missing.length })}
        </Button>
      </>
    )
  return (
    <div role="status" className="mt-1 grid gap-2">
      {ready.length > 0 && (
        <div>
          <p>{t('placeReady', { names: names(ready), count: ready.length })}</p>
          <Button
            isSmall
            variant="primary"
            className="mt-2"
            isPending={publish.isPending}
            onPress={() => publish.mutate(ready)}
          >
            {needsApproval ? t('askApproval') : t('publishPlaces', { count: ready.length })}
          </Button>
        </div>
      )}
      {waiting.length > 0 && <p>{t('placeWaiting', { names: names(waiting), count: waiting.length })}</p>}
      {inState('changed').map(({ id, name }) => (
        <p key={id}>
          {t.rich('placeChanged', {
            name,
            link: words => <TextLink to={signaturePath(id)}>{words}</TextLink>,
          })}
        </p>
      ))}
    </div>
  )
}

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
      {slots && <MissingSlots campaign={campaign} signatures={slots.signatures} />}
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
