// The name of a row. The API names countries in English.
import { useLocale, useTranslations } from 'use-intl'
import type { FilterName } from '../analytics-state.ts'

interface LabelledRow {
  readonly id: string
  readonly label: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

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
    // The service names links by their content or target; one that it does not know has only an id.
    if (name === 'link' && (label === id || label === '') && uuid.test(id)) return t('unnamedLink')
    return label || id || t('unknown')
  }
}
