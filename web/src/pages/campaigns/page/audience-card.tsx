import type { MarketingCampaign } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { smartFieldsQuery } from '../../../api/smart-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { EditProblem } from '../../../ui/edit-problem.tsx'
import { Card, LoadError, Notice } from '../../../ui/page.tsx'
import { UnsavedQuestion } from '../../../ui/unsaved-question.tsx'
import { RuleGroups } from '../../signatures/recipients/rule-groups.tsx'
import { RuleMatches } from '../../signatures/recipients/rule-matches.tsx'
import {
  conditionsOf,
  groupsOf,
  isRuleComplete,
  isSameRule,
  type RuleGroup,
} from '../../signatures/recipients/rule-model.ts'
import { useCampaignAction } from '../campaign-data.ts'
import { SignatureChoice } from '../signature-choice.tsx'
import { useCampaignEdit } from '../use-campaign.ts'
import { audienceCountQuery } from './audience-data.ts'
import { AudienceTable } from './audience-table.tsx'

export interface CampaignCardProps {
  readonly campaign: MarketingCampaign
  readonly isEditable: boolean
}

interface AudienceEdits {
  readonly groups: readonly RuleGroup[]
  /** null: all signatures. */
  readonly signatures: readonly string[] | null
}

const editsOf = (campaign: MarketingCampaign): AudienceEdits => {
  const ids = campaign.signature_template_ids
  return { groups: groupsOf(campaign.smart_fields_conditions), signatures: ids.length === 0 ? null : ids }
}

function useAudienceDraft(campaign: MarketingCampaign) {
  const [edits, setEdits] = useState<AudienceEdits>()
  const { groups, signatures } = edits ?? editsOf(campaign)
  const isChanged =
    edits !== undefined &&
    (!isSameRule(groups, campaign.smart_fields_conditions) ||
      JSON.stringify([...(signatures ?? [])].sort()) !==
        JSON.stringify([...campaign.signature_template_ids].sort()))
  return {
    groups,
    signatures,
    isDirty: edits !== undefined,
    isChanged,
    isComplete: isRuleComplete(groups) && signatures?.length !== 0,
    change: (part: Partial<AudienceEdits>) => setEdits({ groups, signatures, ...part }),
    discard: () => setEdits(undefined),
  }
}

export function AudienceCard({ campaign, isEditable }: CampaignCardProps) {
  const t = useTranslations('campaigns.audience')
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  const { groups, signatures, isDirty, isChanged, isComplete, change, discard } = useAudienceDraft(campaign)
  const save = useCampaignEdit(campaign, { isDirty, onDiscard: discard })
  const saving = useCampaignAction({
    run: () =>
      save({
        smart_fields_conditions: conditionsOf(groups),
        signature_template_ids: [...(signatures ?? [])],
      }),
    done: () => t('saved'),
    after: discard,
    showsError: true,
  })
  return (
    <Card title={t('title')} about={t('about')}>
      <div className="grid gap-5">
        <AudienceCount campaign={campaign} />
        <SignatureChoice
          value={signatures}
          onChange={ids => change({ signatures: ids })}
          isDisabled={!isEditable}
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
              look="primary"
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
          <Button isSmall look="quiet" onPress={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? t('hide') : t('show')}
          </Button>
        )}
      </div>
      {count === 0 && <p className="text-[0.8125rem] text-muted">{t('noneText')}</p>}
      {isOpen && <AudienceTable campaign={campaign} />}
    </div>
  )
}
