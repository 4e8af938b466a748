// The rows of a rule: groups of conditions, of which one group has to fit. Recipients and audiences of campaigns use it.
import type { SmartField } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { newGroup, newRule, type RuleDraft, type RuleGroup } from './rule-model.ts'
import { RuleRow } from './rule-row.tsx'

interface RuleGroupsProps {
  readonly groups: readonly RuleGroup[]
  readonly onChange: (groups: readonly RuleGroup[]) => void
  readonly fields: readonly SmartField[]
  readonly isReadOnly: boolean
}

export function RuleGroups({ groups, onChange, fields, isReadOnly }: RuleGroupsProps) {
  const t = useTranslations('signatures')
  const changeGroup = (key: string, change: (rules: readonly RuleDraft[]) => readonly RuleDraft[]) =>
    onChange(
      groups
        .map(group => (group.key === key ? { ...group, rules: change(group.rules) } : group))
        .filter(group => group.rules.length > 0),
    )
  return (
    <>
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
                isReadOnly={isReadOnly}
                onChange={changed =>
                  changeGroup(key, now => now.map(each => (each.key === rule.key ? changed : each)))
                }
                onRemove={() => changeGroup(key, now => now.filter(each => each.key !== rule.key))}
              />
            ))}
            {!isReadOnly && (
              <div>
                <Button
                  isSmall
                  variant="quiet"
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
      {!isReadOnly && (
        <div>
          <Button isSmall icon="plus" onPress={() => onChange([...groups, newGroup()])}>
            {groups.length === 0 ? t('addRule') : t('addOr')}
          </Button>
        </div>
      )}
    </>
  )
}
