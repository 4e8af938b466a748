// The rules of a signature while they are edited, and how they are saved.
import type { RecipientSelection } from '@signoff/sdk'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { conditionsOf, groupsOf, type RuleGroup, standOf } from '#records/rules/rule-model.ts'
import { selectionQuery, useSignatureAction } from '#records/signatures/signature-data.ts'
import { EditConflict, isSameValue } from '#state/use-edit.ts'

interface Edits {
  /** The rules that the edits began with. */
  readonly base: RecipientSelection['conditions']
  readonly groups: readonly RuleGroup[]
}

export type RuleEdits = ReturnType<typeof useRuleEdits>

const none: RecipientSelection['conditions'] = []

/** `stored`: undefined until the service has answered. */
export function useRuleEdits(signatureId: string, stored: RecipientSelection['conditions'] = none) {
  const t = useTranslations('signatures')
  const [edits, setEdits] = useState<Edits>()
  const storedGroups = useMemo(() => groupsOf(stored), [stored])
  const groups = edits?.groups ?? storedGroups
  const discard = () => setEdits(undefined)
  // The API has no version of the recipients, so the rules are read again and compared before they are replaced.
  const save = useSignatureAction({
    run: async () => {
      const newest = (await selectionQuery(signatureId).queryFn()).conditions
      if (edits && !isSameValue(newest, edits.base))
        throw new EditConflict(
          [
            {
              id: 'rules',
              label: t('rulesTitle'),
              yours: t('ruleGroupCount', { count: groups.length }),
              stored: t('ruleGroupCount', { count: newest.length }),
            },
          ],
          () => setEdits({ ...edits, base: newest }),
          discard,
        )
      return api.signatures.recipientRules.set(signatureId, { conditions: conditionsOf(groups) })
    },
    done: () => t('recipientsSaved'),
    after: discard,
    showsError: true,
  })
  return {
    groups,
    stand: edits ? standOf(groups, stored) : ('saved' as const),
    change: (next: readonly RuleGroup[]) => setEdits({ base: edits?.base ?? stored, groups: next }),
    discard,
    save,
  }
}
