import type { ImportFailure } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useProblemMessage } from '#state/error-messages.ts'
import { Card } from '#ui/layout/page.tsx'

type Problem = Pick<ImportFailure, 'line' | 'column' | 'message' | 'value'> & { readonly code: string }

interface ProblemListProps {
  readonly title: string
  readonly problems: readonly Problem[]
}

/** Problems by line of the file, so that they can be found there. */
export const ImportProblems = ({ title, problems }: ProblemListProps) => {
  const t = useTranslations('people.import')
  const problemText = useProblemMessage()
  const textOf = ({ code, message, column }: Problem) => {
    const key = `codes.${code}` as Parameters<typeof t.has>[0]
    if (code !== 'invalid' && t.has(key)) return t(key as 'codes.missing')
    return column === null ? t('codes.line') : problemText({ field: column, code, message })
  }
  return (
    <Card title={title}>
      <ul className="grid max-h-64 gap-1.5 overflow-y-auto text-[0.8125rem]" tabIndex={0} aria-label={title}>
        {problems.map(problem => (
          <li key={`${problem.line} ${problem.column} ${problem.code}`} className="flex gap-3">
            <span className="w-20 shrink-0 text-muted">{t('line', { line: problem.line })}</span>
            <span className="min-w-0">
              {problem.column && <strong className="font-medium">{problem.column}: </strong>}
              {problem.value && <span className="me-1">“{problem.value}”</span>}
              {textOf(problem)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
