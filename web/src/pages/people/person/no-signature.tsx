// Why an address gets no signature: the person is inactive, or the rules of the live signatures do not match.
import type { Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { useSmartFields, valueIn } from '#records/people/people-data.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { failedConditions, type RuleCondition } from './matching-conditions.ts'

/** More rules would not help to find the fault. */
const shownSignatures = 5

async function rulesOfLive() {
  const signatures = await api.signatures.list({ limit: 100 })
  const live = signatures.filter(
    ({ signature_installation_activated: on, last_published_at: at }) => on && at !== null,
  )
  return Promise.all(
    live.slice(0, shownSignatures).map(async ({ id, name }) => {
      const { body } = await api.signatures.recipients.list(id, { limit: 1 }).raw()
      return { id, name, conditions: body.selection.conditions }
    }),
  )
}

function FailedRules({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.why')
  const fields = useSmartFields()
  const { data: rules = [] } = useQuery({ queryKey: ['signatures', 'live-rules'], queryFn: rulesOfLive })
  const textOf = ({ smart_field_id, operator = 'is_any_of', values = [] }: RuleCondition) => {
    const field = fields.find(({ id }) => id === smart_field_id)?.label ?? '…'
    const condition = t(`operators.${operator}`, { field, value: values.join(', ') })
    const own = valueIn(person, smart_field_id)
    return own ? t('hasValue', { condition, value: own }) : t('hasNoValue', { condition })
  }
  const failed = rules.filter(({ conditions }) => conditions.length > 0)
  if (failed.length === 0) return null
  return (
    <ul className="mt-2 grid gap-1">
      {failed.map(({ id, name, conditions }) => (
        <li key={id}>
          <TextLink to={`/signatures/${id}/recipients`}>{name}</TextLink>:{' '}
          {failedConditions(person, conditions).map(textOf).join(' ')}
        </li>
      ))}
    </ul>
  )
}

export function NoSignature({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people')
  const can = useCan()
  const activate = usePersonAction(
    () => api.teammates.activate({ ids: [person.id] }),
    t('activated'),
    t('notDone'),
  )
  if (person.active)
    return (
      <Notice>
        {t('why.noneReaches')}
        <FailedRules person={person} />
      </Notice>
    )
  return (
    <Notice kind="warn">
      <p>{t('why.inactive')}</p>
      {can('teammates:write') && (
        <Button isSmall isPending={activate.isPending} onPress={() => activate.mutate()} className="mt-2">
          {t('bulk.activate')}
        </Button>
      )}
    </Notice>
  )
}
