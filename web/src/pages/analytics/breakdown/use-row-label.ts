// The name of a row. The API names countries in English; links have the ids of their blocks.
import { useLocale, useTranslations } from 'use-intl'
import type { FilterName } from '../analytics-state.ts'

interface LabelledRow {
  readonly id: string
  readonly label: string
}

function regionName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code
  } catch {
    return code // not a code of a country
  }
}

export function useRowLabel(name: FilterName): (row: LabelledRow) => string {
  const locale = useLocale()
  const t = useTranslations('analytics')
  return ({ id, label }) => {
    if (name === 'country') return regionName(id, locale)
    return label || id || t('unknown')
  }
}
