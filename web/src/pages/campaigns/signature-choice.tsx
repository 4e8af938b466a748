// The signatures that show a campaign: all of them, or some.
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { signatureSlotsQuery } from '#api/banner-slots.ts'
import { Checkbox, RadioChoice } from '#ui/form/choice.tsx'
import { LoadError, Notice } from '#ui/layout/page.tsx'
import { useNames } from './use-names.ts'

interface SlotsNoticeProps {
  /** null: all signatures; then only live ones count. */
  readonly ids: readonly string[] | null
}

/** Says which of the signatures of a campaign cannot show its banner. */
function SlotsNotice({ ids }: SlotsNoticeProps) {
  const t = useTranslations('campaigns.audience')
  const names = useNames()
  const { data = [] } = useQuery(signatureSlotsQuery)
  const meant = data.filter(({ id, isLive }) => (ids === null ? isLive : ids.includes(id)))
  const without = meant.filter(({ hasSlot }) => !hasSlot)
  if (without.length === 0) return null
  return (
    <Notice kind="warn">
      {without.length === meant.length && <p className="font-medium">{t('noneHasPlace')}</p>}
      <p>{t('withoutPlace', { count: without.length, names: names(without) })}</p>
    </Notice>
  )
}

interface SignatureChoiceProps {
  /** null: all signatures. */
  readonly value: readonly string[] | null
  readonly onChange: (ids: readonly string[] | null) => void
  readonly isDisabled?: boolean
  /** True if signatures without a place are named. The page of a campaign does it for what is stored. */
  readonly hasNotice?: boolean
}

export function SignatureChoice({
  value,
  onChange,
  isDisabled = false,
  hasNotice = true,
}: SignatureChoiceProps) {
  const t = useTranslations('campaigns.audience')
  const { data = [], error, refetch } = useQuery(signatureSlotsQuery)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return (
    <div className="grid gap-3">
      <RadioChoice<'all' | 'some'>
        label={t('signatures')}
        value={value === null ? 'all' : 'some'}
        onChange={id => onChange(id === 'all' ? null : [])}
        isDisabled={isDisabled}
        options={[
          { id: 'all', label: t('allSignatures'), hint: t('allSignaturesHint') },
          { id: 'some', label: t('someSignatures') },
        ]}
      />
      {value !== null && (
        <div
          role="group"
          aria-label={t('someSignatures')}
          className="grid max-h-56 gap-2 overflow-y-auto rounded-xl bg-sunken/60 p-3"
        >
          {data.map(({ id, name, hasSlot }) => (
            <Checkbox
              key={id}
              isSelected={value.includes(id)}
              isDisabled={isDisabled}
              onChange={isSelected =>
                onChange(isSelected ? [...value, id] : value.filter(each => each !== id))
              }
            >
              {name}
              {!hasSlot && <span className="text-muted"> · {t('noPlace')}</span>}
            </Checkbox>
          ))}
        </div>
      )}
      {hasNotice && <SlotsNotice ids={value} />}
    </div>
  )
}
