import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { RuleGroups } from '#records/rules/rule-groups.tsx'
import { RuleMatches } from '#records/rules/rule-matches.tsx'
import { conditionsOf, isRuleComplete } from '#records/rules/rule-model.ts'
import { Button } from '#ui/base/button.tsx'
import { EditProblem } from '#ui/feedback/edit-problem.tsx'
import { UnsavedQuestion } from '#ui/feedback/unsaved-question.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import type { RuleEdits } from './use-rule-edits.ts'

export function RulesCard({
  rules: { groups, stand, change, discard, save },
}: {
  readonly rules: RuleEdits
}) {
  const t = useTranslations('signatures')
  const canChange = useCan()('signatures:write')
  const { data: fields = [] } = useQuery(smartFieldsQuery)
  const isComplete = isRuleComplete(groups)
  return (
    <Card title={t('rulesTitle')} about={t('rulesAbout')}>
      <div className="grid gap-3">
        <RuleGroups groups={groups} onChange={change} fields={fields} isReadOnly={!canChange} />
        {groups.length > 0 && isComplete && <RuleMatches conditions={conditionsOf(groups)} />}
        {groups.length > 0 && !isComplete && <Notice>{t('ruleIncomplete')}</Notice>}
        <EditProblem
          error={save.error}
          isPending={save.isPending}
          onRetry={() => save.mutate()}
          onReset={save.reset}
        />
        <UnsavedQuestion isDirty={stand !== 'saved'} />
        {canChange && stand !== 'saved' && (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
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
