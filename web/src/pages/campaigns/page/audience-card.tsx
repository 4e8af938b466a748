import type { MarketingCampaign, ReachedAddress } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { signatureNamesQuery } from '#records/campaigns/campaign-data.ts'
import { RuleGroups } from '#records/rules/rule-groups.tsx'
import { RuleMatches } from '#records/rules/rule-matches.tsx'
import { conditionsOf, isRuleComplete } from '#records/rules/rule-model.ts'
import { Button } from '#ui/base/button.tsx'
import { EditProblem } from '#ui/feedback/edit-problem.tsx'
import { UnsavedQuestion } from '#ui/feedback/unsaved-question.tsx'
import { Card, EmptyState, LoadError, Notice } from '#ui/layout/page.tsx'
import { listPageOf } from '#ui/table/list-page.ts'
import { type VirtualColumn, VirtualTable } from '#ui/table/virtual-table.tsx'
import { SignatureChoice } from '../signature-choice.tsx'
import { CampaignWarnings } from '../warnings/campaign-warnings.tsx'
import { audienceCountQuery } from './audience-data.ts'
import type { AudienceDraft } from './audience-draft.ts'

function AudienceTable({ campaign }: { readonly campaign: MarketingCampaign }) {
  const t = useTranslations('campaigns.audience')
  const navigate = useNavigate()
  const { data: signatures = [] } = useQuery(signatureNamesQuery)
  const columns: VirtualColumn<ReachedAddress>[] = [
    { id: 'address', title: t('address'), width: 'minmax(10rem, 2fr)', cell: ({ address }) => address },
    {
      id: 'signature',
      title: t('signature'),
      width: 'minmax(8rem, 1.5fr)',
      isSecondary: true,
      cell: ({ signature_id }) => signatures.find(({ id }) => id === signature_id)?.name ?? '…',
    },
  ]
  if (campaign.variants.length > 0)
    columns.push({
      id: 'variant',
      title: t('variant'),
      width: 'minmax(6rem, 1fr)',
      cell: ({ variant_id }) => campaign.variants.find(({ id }) => id === variant_id)?.name ?? '–',
    })
  return (
    <VirtualTable<ReachedAddress>
      label={t('list')}
      columns={columns}
      queryKey={['campaigns', 'audience', campaign.id, 'rows', campaign.updated_at]}
      loadPage={(page, limit, signal) =>
        listPageOf(api.marketingCampaigns.audience(campaign.id, { page, limit }, { signal }))
      }
      keyOf={({ id }) => id}
      onOpen={({ teammate_id }) => void navigate({ to: `/people/${teammate_id}` })}
      empty={<EmptyState icon="users" title={t('none')} />}
      rowHeight={44}
    />
  )
}

export interface CampaignCardProps {
  readonly campaign: MarketingCampaign
  readonly isEditable: boolean
}

interface AudienceCardProps extends CampaignCardProps {
  readonly draft: AudienceDraft
}

export function AudienceCard({ campaign, isEditable, draft }: AudienceCardProps) {
  const t = useTranslations('campaigns.audience')
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  const { groups, signatures, isChanged, isComplete, change, discard, saving } = draft
  return (
    <Card title={t('title')} about={t('about')}>
      <div className="grid gap-5">
        <AudienceCount campaign={campaign} />
        <SignatureChoice
          value={signatures}
          onChange={ids => change({ signatures: ids })}
          isDisabled={!isEditable}
          hasNotice={isChanged}
        />
        <div className="grid gap-3">
          <div>
            <h3 className="text-[0.8125rem] font-medium">{t('people')}</h3>
            <p className="text-[0.8125rem] text-muted">{t('peopleHint')}</p>
          </div>
          <RuleGroups
            groups={groups}
            onChange={rules => change({ groups: rules })}
            fields={fields}
            isReadOnly={!isEditable}
          />
          {isEditable && groups.length > 0 && isRuleComplete(groups) && (
            <RuleMatches conditions={conditionsOf(groups)} />
          )}
        </div>
        <EditProblem
          error={saving.error}
          isPending={saving.isPending}
          onRetry={() => saving.mutate()}
          onReset={saving.reset}
        />
        <UnsavedQuestion isDirty={isChanged} />
        {isEditable && isChanged && (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              variant="primary"
              isDisabled={!isComplete}
              isPending={saving.isPending}
              onPress={() => saving.mutate()}
            >
              {t('save')}
            </Button>
            <Button onPress={discard}>{t('discard')}</Button>
            {!isComplete && <Notice>{t('incomplete')}</Notice>}
          </div>
        )}
      </div>
    </Card>
  )
}

/** Whom the stored campaign reaches, with the list of addresses. */
function AudienceCount({ campaign }: { readonly campaign: MarketingCampaign }) {
  const t = useTranslations('campaigns.audience')
  const [isOpen, setIsOpen] = useState(false)
  const { data, error, refetch } = useQuery(audienceCountQuery(campaign))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const count = data?.total
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="text-base font-semibold">
          {count === undefined
            ? '…'
            : campaign.status === 'active'
              ? t('count', { count })
              : t('countPlanned', { count })}
        </p>
        {count !== undefined && count > 0 && (
          <Button isSmall variant="quiet" onPress={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? t('hide') : t('show')}
          </Button>
        )}
      </div>
      {isOpen && <AudienceTable campaign={campaign} />}
      {data && (
        <CampaignWarnings
          campaign={campaign}
          // The place for the banner of a draft is above, and says that it is empty.
          warnings={data.warnings.filter(({ code }) => code !== 'no_banner' || campaign.status !== 'draft')}
        />
      )}
    </div>
  )
}
