// The audience of a campaign while it is edited. The page holds it, because a campaign must not start with an audience
// that is not saved.
import type { MarketingCampaign } from '@signoff/sdk'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCampaignAction } from '#records/campaigns/campaign-data.ts'
import {
  conditionsOf,
  groupsOf,
  isRuleComplete,
  isSameRule,
  type RuleGroup,
} from '#records/rules/rule-model.ts'
import { useCampaignEdit } from '../use-campaign.ts'

interface AudienceEdits {
  readonly groups: readonly RuleGroup[]
  /** null: all signatures. */
  readonly signatures: readonly string[] | null
}

const editsOf = (campaign: MarketingCampaign): AudienceEdits => {
  const ids = campaign.signature_template_ids
  return { groups: groupsOf(campaign.smart_fields_conditions), signatures: ids.length === 0 ? null : ids }
}

/** “Some signatures” without a choice yet is not the same as all. */
const isSameChoice = (choice: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(choice?.toSorted() ?? null) === JSON.stringify(other?.toSorted() ?? null)

export type AudienceDraft = ReturnType<typeof useAudienceDraft>

export function useAudienceDraft(campaign: MarketingCampaign) {
  const t = useTranslations('campaigns.audience')
  const [edits, setEdits] = useState<AudienceEdits>()
  const stored = useMemo(() => editsOf(campaign), [campaign])
  const { groups, signatures } = edits ?? stored
  const discard = () => setEdits(undefined)
  const save = useCampaignEdit(campaign, { isDirty: edits !== undefined, onDiscard: discard })
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
  return {
    groups,
    signatures,
    isChanged:
      edits !== undefined &&
      (!isSameRule(groups, campaign.smart_fields_conditions) || !isSameChoice(signatures, stored.signatures)),
    isComplete: isRuleComplete(groups) && signatures?.length !== 0,
    change: (part: Partial<AudienceEdits>) => setEdits({ groups, signatures, ...part }),
    discard,
    saving,
  }
}
