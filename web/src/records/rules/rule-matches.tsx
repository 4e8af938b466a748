import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { LoadError } from '#ui/layout/page.tsx'
import type { StoredCondition } from './rule-model.ts'

/** Typing waits for a pause before the matches are counted. */
const pauseMilliseconds = 300

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [key])
  return settled
}

interface RuleMatchesProps {
  readonly conditions: readonly (readonly StoredCondition[])[]
}

/** Number of addresses that the rule reaches now, and the first of them. */
export function RuleMatches({ conditions }: RuleMatchesProps) {
  const t = useTranslations('signatures')
  const settled = useSettled(conditions)
  const { data, error, refetch } = useQuery({
    queryKey: ['signatures', 'rule-matches', settled],
    queryFn: ({ signal }) =>
      api.recipientRules.preview({ conditions: settled.map(group => [...group]) }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return (
    <div className="text-[0.8125rem]">
      <p role="status" className="font-medium">
        {data ? t('ruleCount', { count: data.matching_emails_count }) : t('counting')}
      </p>
      {data && data.emails.length > 0 && (
        <details className="mt-1">
          <summary className="text-muted">{t('showMatches')}</summary>
          <ul className="mt-2 max-h-48 columns-[16rem] gap-6 overflow-y-auto text-muted">
            {data.emails.map(({ id, address }) => (
              <li key={id} className="truncate">
                {address}
              </li>
            ))}
          </ul>
          {data.matching_emails_count > data.emails.length && (
            <p className="mt-1 text-muted">
              {t('andMore', { count: data.matching_emails_count - data.emails.length })}
            </p>
          )}
        </details>
      )}
    </div>
  )
}
