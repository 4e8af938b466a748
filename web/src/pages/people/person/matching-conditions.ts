// Which conditions of a signature's rules a person meets, so that the page can say them in words.
import type { RecipientSelection, Teammate } from '@signoff/sdk'
import { valueIn } from '#records/people/people-data.ts'

export type RuleCondition = RecipientSelection['conditions'][number][number]

const comparable = (text: string): string => text.normalize('NFC').trim().toLowerCase()

const tests: Readonly<Record<string, (value: string, operands: readonly string[]) => boolean>> = {
  is_any_of: (value, operands) => operands.includes(value),
  is_none_of: (value, operands) => !operands.includes(value),
  contains: (value, operands) => operands.some(part => value.includes(part)),
  starts_with: (value, operands) => operands.some(part => value.startsWith(part)),
  ends_with: (value, operands) => operands.some(part => value.endsWith(part)),
  is_set: value => value !== '',
  is_not_set: value => value === '',
}

const holds = (
  person: Teammate,
  { smart_field_id, operator = 'is_any_of', values = [] }: RuleCondition,
): boolean =>
  tests[operator]?.(comparable(valueIn(person, smart_field_id) ?? ''), values.map(comparable)) ?? false

/** The condition of each group that the person fails first. */
export const failedConditions = (
  person: Teammate,
  conditions: RecipientSelection['conditions'],
): readonly RuleCondition[] =>
  conditions.flatMap(group => group.find(condition => !holds(person, condition)) ?? [])

/** The conditions of the first group that the person meets. */
export const metConditions = (
  person: Teammate,
  conditions: RecipientSelection['conditions'],
): readonly RuleCondition[] =>
  conditions.find(group => group.every(condition => holds(person, condition))) ?? []
