import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { signaturePlacesQuery } from '#api/banner-places.ts'
import { Notice } from '#ui/page.tsx'
import { useNames } from './use-names.ts'

interface PlacesNoticeProps {
  /** null: all signatures; then only live ones count. */
  readonly ids: readonly string[] | null
}

/** Says which of the signatures of a campaign cannot show its banner. */
export function PlacesNotice({ ids }: PlacesNoticeProps) {
  const t = useTranslations('campaigns.audience')
  const names = useNames()
  const { data = [] } = useQuery(signaturePlacesQuery)
  const meant = data.filter(({ id, isLive }) => (ids === null ? isLive : ids.includes(id)))
  const without = meant.filter(({ hasPlace }) => !hasPlace)
  if (without.length === 0) return null
  return (
    <Notice kind="warn">
      {without.length === meant.length && <p className="font-medium">{t('noneHasPlace')}</p>}
      <p>{t('withoutPlace', { count: without.length, names: names(without) })}</p>
    </Notice>
  )
}
