import { classes } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'

interface StepsProps<Id extends string> {
  readonly steps: readonly { readonly id: Id; readonly label: string }[]
  readonly current: Id
  /** True if steps that are done have a check mark in the place of their number. */
  readonly hasChecks?: boolean
}

/** Several steps, with the current one. */
export function Steps<Id extends string>({ steps, current, hasChecks = false }: StepsProps<Id>) {
  const at = steps.findIndex(({ id }) => id === current)
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2 text-[0.8125rem]">
      {steps.map(({ id, label }, index) => (
        <li
          key={id}
          {...(id === current && { 'aria-current': 'step' as const })}
          className={classes(
            'flex items-center gap-2 font-medium',
            id === current ? 'text-accent' : 'text-muted',
          )}
        >
          <span
            aria-hidden="true"
            className={classes(
              'grid size-6 place-items-center rounded-full text-xs',
              id === current ? 'bg-accent text-on-accent' : 'bg-sunken',
            )}
          >
            {hasChecks && index < at ? <Icon name="check" size={13} /> : index + 1}
          </span>
          {label}
        </li>
      ))}
    </ol>
  )
}
