// The problems of the draft, below the canvas.
import { useTranslations } from 'use-intl'
import { useCheck } from './check-context.tsx'
import { ProblemCards } from './problem-cards.tsx'

export function ProblemsPanel() {
  const t = useTranslations('editor.check')
  const { isKnown, problems } = useCheck()
  if (!isKnown) return null
  const notes = problems.filter(({ severity }) => severity === 'note').length
  return (
    <section aria-label={t('title')} className="mx-auto mt-5 grid w-full max-w-2xl gap-2">
      <h2 tabIndex={-1} data-check-heading="" className="text-[0.8125rem] font-semibold outline-none">
        {t('count', { count: problems.length - notes, notes })}
      </h2>
      {problems.length > 0 && <ProblemCards problems={problems} />}
    </section>
  )
}
