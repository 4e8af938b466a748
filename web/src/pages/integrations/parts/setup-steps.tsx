import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'

export const setupSteps = ['enter', 'test', 'map', 'sync'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Where in the set-up the person is. */
export const SetupSteps = ({ current }: { readonly current: SetupStep }) => {
  const t = useTranslations('integrations.setup')
  const at = setupSteps.indexOf(current)
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2 text-[0.8125rem]">
      {setupSteps.map((step, index) => (
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
            {index < at ? <Icon name="check" size={13} /> : index + 1}
          </span>
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  )
}
