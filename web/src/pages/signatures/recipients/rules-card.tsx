import type { RecipientSelection } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { smartFieldsQuery } from '../../../api/smart-fields.ts'
import { isSameValue } from '../../../api/use-draft.ts'
import { EditConflict } from '../../../api/use-edit.ts'
import { Button } from '../../../ui/button.tsx'
import { EditProblem } from '../../../ui/edit-problem.tsx'
import { Card, Notice } from '../../../ui/page.tsx'
import { UnsavedQuestion } from '../../../ui/unsaved-question.tsx'
import { selectionQuery, useSignatureAction } from '../signature-data.ts'
import { RuleGroups } from './rule-groups.tsx'
import { RuleMatches } from './rule-matches.tsx'
import { conditionsOf, groupsOf, isRuleComplete, isSameRule, type RuleGroup } from './rule-model.ts'

interface RuleEdits {
  /** The rules that the edits began with. */
  readonly base: RecipientSelection['conditions']
  readonly groups: readonly RuleGroup[]
}

interface RulesCardProps {
  readonly signatureId: string
  readonly selection: RecipientSelection
}

export function RulesCard({ signatureId, selection }: RulesCardProps) {
  const t = useTranslations('signatures')
  const canChange = useCan()('signatures:write')
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  const [edits, setEdits] = useState<RuleEdits>()
  const groups = edits?.groups ?? groupsOf(selection.conditions)
  const discard = () => setEdits(undefined)
  // The API has no version of the recipients, so the rules are read again and compared before they are replaced.
  const save = useSignatureAction({
    run: async () => {
      const stored = (await selectionQuery(signatureId).queryFn()).conditions
      if (edits && !isSameValue(stored, edits.base))
        throw new EditConflict(
          [
            {
              id: 'rules',
              label: t('rulesTitle'),
              yours: t('ruleGroupCount', { count: groups.length }),
              stored: t('ruleGroupCount', { count: stored.length }),
            },
          ],
          () => setEdits({ ...edits, base: stored }),
          discard,
        )
      return api.signatures.recipientRules.set(signatureId, { conditions: conditionsOf(groups) })
    },
    done: () => t('recipientsSaved'),
    after: discard,
    showsError: true,
  })
  const isComplete = isRuleComplete(groups)
  const isChanged = edits !== undefined && !isSameRule(groups, selection.conditions)
  return (
    <Card title={t('rulesTitle')} about={t('rulesAbout')}>
      <div className="grid gap-3">
        <RuleGroups
          groups={groups}
          onChange={rules => setEdits({ base: edits?.base ?? selection.conditions, groups: rules })}
          fields={fields}
          isReadOnly={!canChange}
        />
        {groups.length > 0 && isComplete && <RuleMatches conditions={conditionsOf(groups)} />}
        {groups.length > 0 && !isComplete && <Notice>{t('ruleIncomplete')}</Notice>}
        <EditProblem
          error={save.error}
          isPending={save.isPending}
          onRetry={() => save.mutate()}
          onReset={save.reset}
        />
        <UnsavedQuestion isDirty={isChanged} />
        {canChange && isChanged && (
          <div className="flex flex-wrap gap-2">
            <Button
              look="primary"
              isDisabled={!isComplete}
              isPending={save.isPending}
              onPress={() => save.mutate()}
            >
              {t('saveRules')}
            </Button>
            <Button onPress={discard}>{t('discard')}</Button>
          </div>
        )}
      </div>
    </Card>
  )
}
