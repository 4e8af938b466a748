import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { signaturePlacesQuery } from '../../api/banner-places.ts'
import { Notice } from '../../ui/page.tsx'

const shownNames = 5

interface PlacesNoticeProps {
  /** null: all signatures; then only live ones count. */
  readonly ids: readonly string[] | null
}

/** Says which of the signatures of a campaign cannot show its banner. */
export function PlacesNotice({ ids }: PlacesNoticeProps) {
  const t = useTranslations('campaigns.audience')
  const format = useFormatter()
  const { data = [] } = useQuery(signaturePlacesQuery)
  const meant = data.filter(({ id, isLive }) => (ids === null ? isLive : ids.includes(id)))
  const without = meant.filter(({ hasPlace }) => !hasPlace)
  if (without.length === 0) return null
  const more = Math.max(without.length - shownNames, 0)
  const names = without.slice(0, shownNames).map(({ name }) => t('quoted', { name }))
  return (
    <Notice kind="warn">
      {without.length === meant.length && <p className="font-medium">{t('noneHasPlace')}</p>}
      <p>
        {t('withoutPlace', {
          count: without.length,
          names: format.list(more > 0 ? [...names, t('moreSignatures', { count: more })] : names),
        })}
      </p>
    </Notice>
  )
}
