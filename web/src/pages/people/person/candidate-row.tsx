// One signature that reaches an address: why, and whether it is the one.
import type { SignatureExplanation, SmartField, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useSmartFields, valueIn } from '#records/people/people-data.ts'
import { usePersonAction } from '#records/people/person-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink, TextLink } from '#ui/base/text-link.tsx'
import { metConditions, type RuleCondition } from './matching-conditions.ts'

type SignatureCandidate = SignatureExplanation['candidates'][number]

interface CandidateProps {
  readonly candidate: SignatureCandidate
  readonly winner: SignatureCandidate | undefined
  readonly person: Teammate
  readonly emailId: string
}

/** “Department is Sales” */
function useConditionText(fields: readonly SmartField[], person: Teammate) {
  const t = useTranslations('people.why')
  return ({ smart_field_id, operator = 'is_any_of', values = [] }: RuleCondition): string => {
    const field = fields.find(({ id }) => id === smart_field_id)?.label ?? '…'
    const value = operator === 'is_any_of' ? (valueIn(person, smart_field_id) ?? '') : values.join(', ')
    return t(`operators.${operator}`, { field, value })
  }
}

/** Why the signature reaches the address, one sentence for each way. */
function useSources({ candidate, person }: Pick<CandidateProps, 'candidate' | 'person'>): readonly string[] {
  const t = useTranslations('people.why')
  const textOf = useConditionText(useSmartFields(), person)
  const isByRule = candidate.sources.some(({ kind }) => kind === 'smart_field')
  const { data: conditions = [] } = useQuery({
    queryKey: ['signatures', candidate.signature_id, 'conditions'],
    queryFn: async () =>
      (await api.signatures.recipients.list(candidate.signature_id, { limit: 1 }).raw()).body.selection
        .conditions,
    enabled: isByRule,
  })
  const met = metConditions(person, conditions).map(textOf)
  return candidate.sources.map(({ kind }) =>
    kind === 'smart_field' && met.length > 0
      ? t('byRule', { conditions: met.join(t('and')) })
      : t(`sources.${kind}`),
  )
}

export function CandidateRow({ candidate, winner, person, emailId }: CandidateProps) {
  const t = useTranslations('people.why')
  const can = useCan()
  const { signature_id: id, name, priority, chosen, reason_code } = candidate
  const sources = useSources({ candidate, person })
  const isByHand = candidate.sources.some(({ kind }) => kind === 'manual')
  const takeBack = usePersonAction(
    () => api.signatures.recipients.remove(id, emailId),
    t('takenBack', { name }),
    t('failed'),
    {
      label: t('undo'),
      send: () => api.signatures.recipients.add(id, { email_ids: [emailId] }),
    },
  )
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <Icon
        name={chosen ? 'circle-check' : 'circle-dashed'}
        size={18}
        className={chosen ? 'mt-0.5 text-good' : 'mt-0.5 text-muted'}
      />
      <div className="min-w-48 flex-1">
        <PathLink to={`/signatures/${id}`} className="font-medium hover:underline">
          {name}
        </PathLink>
        <p className="text-[0.8125rem] text-muted">
          {sources.join(' ')} {t(`reasons.${reason_code}`, { winner: winner?.name ?? '', priority })}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {isByHand && can('signatures:write') && (
          <Button isSmall isPending={takeBack.isPending} onPress={() => takeBack.mutate()}>
            {t('takeBack')}
          </Button>
        )}
        <TextLink
          to={`/signatures/${id}/recipients`}
          className="inline-flex min-h-7 items-center text-[0.8125rem]"
        >
          {t('recipients')}
        </TextLink>
      </div>
    </li>
  )
}
