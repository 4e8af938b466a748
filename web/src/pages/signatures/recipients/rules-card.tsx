import type { RecipientSelection } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Notice } from '../../../ui/page.tsx'
import { useSignatureAction } from '../signature-data.ts'
import { RuleGroups } from './rule-groups.tsx'
import { RuleMatches } from './rule-matches.tsx'
import { conditionsOf, groupsOf, isRuleComplete, isSameRule, type RuleGroup } from './rule-model.ts'

export const fieldsQuery = {
  queryKey: ['smart_fields', 'all'] as const,
  queryFn: () => api.smartFields.list({ limit: 100, sort: 'label' }),
  staleTime: 60_000,
}

interface RulesCardProps {
  readonly signatureId: string
  readonly selection: RecipientSelection
}

export function RulesCard({ signatureId, selection }: RulesCardProps) {
  const t = useTranslations('signatures')
  const canChange = useCan()('signatures:write')
  const { data: fields = [] } = useQuery(fieldsQuery)
  const [groups, setGroups] = useState<readonly RuleGroup[]>(() => groupsOf(selection.conditions))
  const save = useSignatureAction({
    run: () => api.signatures.recipientRules.set(signatureId, { conditions: conditionsOf(groups) }),
    done: () => t('recipientsSaved'),
  })
  const isComplete = isRuleComplete(groups)
  const isChanged = !isSameRule(groups, selection.conditions)
  return (
    <Card title={t('rulesTitle')} about={t('rulesAbout')}>
      <div className="grid gap-3">
        <RuleGroups groups={groups} onChange={setGroups} fields={fields} isReadOnly={!canChange} />
        {groups.length > 0 && isComplete && <RuleMatches conditions={conditionsOf(groups)} />}
        {groups.length > 0 && !isComplete && <Notice>{t('ruleIncomplete')}</Notice>}
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
            <Button onPress={() => setGroups(groupsOf(selection.conditions))}>{t('discard')}</Button>
          </div>
        )}
      </div>
    </Card>
  )
}
