// What every step has: the indicator, a heading, and the way on.
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useLoadedChecklist } from '#api/checklist.ts'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { TextLink } from '#ui/base/text-link.tsx'
import { Page } from '#ui/layout/page.tsx'
import { useStep, welcomeSteps } from './steps.ts'

function StepIndicator() {
  const t = useTranslations('welcome')
  const [current, goTo] = useStep()
  const { done } = useLoadedChecklist()
  return (
    <nav aria-label={t('stepsLabel')} className="mb-8">
      <ol className="flex gap-1.5 sm:gap-3">
        {welcomeSteps.map((step, index) => (
          <li key={step} className={classes('min-w-0 flex-1', step === current && 'max-sm:flex-none')}>
            <button
              type="button"
              onClick={() => goTo(step)}
              {...(step === current && { 'aria-current': 'step' as const })}
              className={classes(
                'flex w-full items-center gap-2 border-t-2 pt-2 text-start text-[0.8125rem] font-medium',
                step === current ? 'border-accent text-ink' : 'text-muted hover:text-ink',
                step !== current && (done[step] ? 'border-good' : 'border-line'),
              )}
            >
              {done[step] ? (
                <Icon name="circle-check" className="text-good" />
              ) : (
                <span aria-hidden="true" className="w-4 text-center tabular-nums">
                  {index + 1}
                </span>
              )}
              <span className={classes('truncate', step !== current && 'max-sm:sr-only')}>
                {t(`steps.${step}`)}
              </span>
              {done[step] && <span className="sr-only">{t('done')}</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface StepFrameProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

export function StepFrame({ title, about, children }: StepFrameProps) {
  const t = useTranslations('welcome')
  return (
    <Page title={title} about={about} actions={<TextLink to="/">{t('later')}</TextLink>}>
      <StepIndicator />
      {children}
    </Page>
  )
}

interface StepButtonsProps {
  readonly onBack?: () => void
  readonly onSkip?: () => void
  readonly children: ReactNode
}

/** Back, skip, and the button of the step itself. */
export function StepButtons({ onBack, onSkip, children }: StepButtonsProps) {
  const t = useTranslations('welcome')
  return (
    <div className="mt-8 flex flex-wrap items-center gap-2 border-t border-line pt-5">
      {onBack && (
        <Button variant="quiet" icon="arrow-left" onPress={onBack}>
          {t('back')}
        </Button>
      )}
      <span className="flex-1" />
      {onSkip && (
        <Button variant="quiet" onPress={onSkip}>
          {t('skip')}
        </Button>
      )}
      {children}
    </div>
  )
}
