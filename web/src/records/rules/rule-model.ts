// The rule while it is edited: groups of conditions. It becomes conditions of the API when it is complete.
import type { RecipientSelection } from '@signoff/sdk'
import { newId } from '../content/ids.ts'

type StoredConditions = RecipientSelection['conditions']
export type StoredCondition = StoredConditions[number][number]
export type RuleOperator = NonNullable<StoredCondition['operator']>

export const ruleOperators: readonly RuleOperator[] = [
  'is_any_of',
  'is_none_of',
  'contains',
  'starts_with',
  'ends_with',
  'is_set',
  'is_not_set',
]

export interface RuleDraft {
  /** For lists of React; never sent. */
  readonly key: string
  readonly fieldId: string | null
  readonly operator: RuleOperator
  readonly values: readonly string[]
}

export interface RuleGroup {
  readonly key: string
  readonly rules: readonly RuleDraft[]
}

export const newRule = (): RuleDraft => ({ key: newId(), fieldId: null, operator: 'is_any_of', values: [] })
export const newGroup = (): RuleGroup => ({ key: newId(), rules: [newRule()] })

export const needsValues = (operator: RuleOperator): boolean =>
  operator !== 'is_set' && operator !== 'is_not_set'

const isComplete = ({ fieldId, operator, values }: RuleDraft): boolean =>
  fieldId !== null && (!needsValues(operator) || values.length > 0)

export const isRuleComplete = (groups: readonly RuleGroup[]): boolean =>
  groups.every(group => group.rules.every(isComplete))

export const groupsOf = (conditions: StoredConditions): RuleGroup[] =>
  conditions.map(group => ({
    key: newId(),
    rules: group.map(({ smart_field_id, operator = 'is_any_of', values = [] }) => ({
      key: newId(),
      fieldId: smart_field_id,
      operator,
      values,
    })),
  }))

export const conditionsOf = (groups: readonly RuleGroup[]): StoredConditions =>
  groups.map(group =>
    group.rules.map(({ fieldId, operator, values }) => ({
      smart_field_id: fieldId as string,
      operator,
      ...(needsValues(operator) && { values: [...values] }),
    })),
  )

/** The same rule, whatever the keys. */
export const isSameRule = (groups: readonly RuleGroup[], conditions: StoredConditions): boolean =>
  JSON.stringify(conditionsOf(groups)) === JSON.stringify(conditionsOf(groupsOf(conditions)))

/** `saved`: the rules that a person sees are those of the service. Only `complete` rules can be saved. */
export function standOf(
  groups: readonly RuleGroup[],
  stored: StoredConditions,
): 'saved' | 'complete' | 'incomplete' {
  if (isSameRule(groups, stored)) return 'saved'
  return isRuleComplete(groups) ? 'complete' : 'incomplete'
}
