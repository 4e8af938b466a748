import { useFormatter, useTranslations } from 'use-intl'

const maxNames = 5

/** “Sales”, “Board” and 3 more. */
export function useNames(): (records: readonly { readonly name: string }[]) => string {
  const t = useTranslations('campaigns.audience')
  const format = useFormatter()
  return records => {
    const names = records.slice(0, maxNames).map(({ name }) => t('quoted', { name }))
    const more = records.length - names.length
    return format.list(more > 0 ? [...names, t('moreSignatures', { count: more })] : names)
  }
}
