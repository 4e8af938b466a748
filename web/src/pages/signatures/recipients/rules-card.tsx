import type { RecipientSelection } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Notice } from '../../../ui/page.tsx'
import { useSignatureAction } from '../use-action.ts'
import { RuleMatches } from './rule-matches.tsx'
import {
  conditionsOf,
  groupsOf,
  isRuleComplete,
  isSameRule,
  newGroup,
  newRule,
  type RuleDraft,
  type RuleGroup,
} from './rule-model.ts'
import { RuleRow } from './rule-row.tsx'

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
  const changeGroup = (key: string, change: (rules: readonly RuleDraft[]) => readonly RuleDraft[]) =>
    setGroups(now =>
      now
        .map(group => (group.key === key ? { ...group, rules: change(group.rules) } : group))
        .filter(group => group.rules.length > 0),
    )
  return (
    <Card title={t('rulesTitle')} about={t('rulesAbout')}>
      <div className="grid gap-3">
        {groups.map(({ key, rules }, index) => (
          <div key={key} className="grid gap-3">
            {index > 0 && <p className="text-[0.8125rem] font-semibold text-muted">{t('or')}</p>}
            <div
              role="group"
              aria-label={t('ruleGroup', { number: index + 1 })}
              className="grid gap-3 rounded-xl bg-sunken/60 p-3"
            >
              {rules.map((rule, position) => (
                <RuleRow
                  key={rule.key}
                  rule={rule}
                  fields={fields}
                  isFirst={position === 0}
                  isReadOnly={!canChange}
                  onChange={changed =>
                    changeGroup(key, now => now.map(each => (each.key === rule.key ? changed : each)))
                  }
                  onRemove={() => changeGroup(key, now => now.filter(each => each.key !== rule.key))}
                />
              ))}
              {canChange && (
                <div>
                  <Button
                    isSmall
                    look="quiet"
                    icon="plus"
                    onPress={() => changeGroup(key, now => [...now, newRule()])}
                  >
                    {t('addAnd')}
                  </Button>
                </div>
              )}
            </div>
          </div>
        ))}
        {canChange && (
          <div>
            <Button isSmall icon="plus" onPress={() => setGroups(now => [...now, newGroup()])}>
              {groups.length === 0 ? t('addRule') : t('addOr')}
            </Button>
          </div>
        )}
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
