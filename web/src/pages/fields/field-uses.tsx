// The signatures and campaigns that show a field, or choose people by it.
import type { SmartFieldUsage } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { PathLink } from '#ui/base/text-link.tsx'

type FieldUse = SmartFieldUsage['used_in'][number]

const shownUses = 2

const UseLink = ({ use }: { readonly use: FieldUse }) => {
  const t = useTranslations('fields')
  const name = use.name ?? t('unnamed')
  const paths = {
    campaign: `/campaigns/${use.id}`,
    rule: `/signatures/${use.id}/recipients`,
    signature: `/signatures/${use.id}`,
    variant: `/signatures/${use.id}`,
  }
  return (
    <PathLink to={paths[use.kind]} className="hover:underline">
      {t(`uses.${use.kind}`, { name })}
    </PathLink>
  )
}

export const FieldUses = ({
  usage,
  isFull = false,
}: {
  readonly usage: SmartFieldUsage | undefined
  readonly isFull?: boolean
}) => {
  const t = useTranslations('fields')
  if (!usage) return <span className="text-muted">…</span>
  if (usage.used_in.length === 0) return <span className="text-muted">{t('unused')}</span>
  const uses = isFull ? usage.used_in : usage.used_in.slice(0, shownUses)
  const rest = usage.used_in.length - uses.length
  return (
    <ul className="grid min-w-40 gap-0.5 text-[0.8125rem]">
      {uses.map(use => (
        <li key={`${use.kind} ${use.id}`}>
          <UseLink use={use} />
        </li>
      ))}
      {rest > 0 && <li className="text-muted">{t('moreUses', { count: rest })}</li>}
    </ul>
  )
}
