import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'

const steps = ['file', 'plan', 'result'] as const

/** Where in the import the person is. */
export const ImportSteps = ({ current }: { readonly current: (typeof steps)[number] }) => {
  const t = useTranslations('people.import')
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2 text-[0.8125rem]">
      {steps.map((step, index) => (
        <li
          key={step}
          {...(step === current && { 'aria-current': 'step' as const })}
          className={classes(
            'flex items-center gap-2 font-medium',
            step === current ? 'text-accent' : 'text-muted',
          )}
        >
          <span
            aria-hidden="true"
            className={classes(
              'grid size-6 place-items-center rounded-full text-xs',
              step === current ? 'bg-accent text-on-accent' : 'bg-sunken',
            )}
          >
            {index + 1}
          </span>
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  )
}
