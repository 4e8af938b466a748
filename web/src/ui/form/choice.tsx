// Controls to choose: checkbox, switch, radio buttons.
import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components/Checkbox'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch'
import { classes } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'
import { Label } from './field.tsx'

interface CheckboxProps extends Omit<AriaCheckboxProps, 'className' | 'children'> {
  readonly children?: ReactNode
  readonly className?: string
}

export const Checkbox = ({ children, className, ...rest }: CheckboxProps) => (
  <AriaCheckbox
    {...rest}
    className={classes('group flex items-start gap-2.5 text-sm data-disabled:opacity-50', className)}
  >
    <span
      aria-hidden="true"
      className="mt-0.5 grid size-4.5 shrink-0 place-items-center rounded-[5px] border border-edge bg-card text-on-accent group-data-selected:border-accent group-data-selected:bg-accent group-data-indeterminate:border-accent group-data-indeterminate:bg-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent"
    >
      <Icon name="check" size={13} strokeWidth={3} className="hidden group-data-selected:block" />
      <span className="hidden h-0.5 w-2 rounded bg-current group-data-indeterminate:block" />
    </span>
    {children !== undefined && <span>{children}</span>}
  </AriaCheckbox>
)

interface SwitchProps extends Omit<AriaSwitchProps, 'className' | 'children'> {
  readonly label: string
  readonly hint?: ReactNode
}

export const Switch = ({ label, hint, ...rest }: SwitchProps) => (
  <AriaSwitch {...rest} className="group flex items-start gap-3 text-sm data-disabled:opacity-50">
    <span
      aria-hidden="true"
      className="relative mt-px h-5 w-9 shrink-0 rounded-full border border-edge bg-sunken transition-colors group-data-selected:border-accent group-data-selected:bg-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-accent"
    >
      <span className="absolute start-0.5 top-0.5 size-3.5 rounded-full bg-edge transition-transform group-data-selected:translate-x-4 group-data-selected:bg-on-accent rtl:group-data-selected:-translate-x-4" />
    </span>
    <span>
      <span className="block font-medium">{label}</span>
      {hint && <span className="mt-0.5 block text-[0.8125rem] text-muted">{hint}</span>}
    </span>
  </AriaSwitch>
)

interface RadioChoiceProps<Id extends string> {
  readonly label: string
  readonly options: readonly { readonly id: Id; readonly label: string; readonly hint?: ReactNode }[]
  /** null: none is chosen yet. */
  readonly value: Id | null
  readonly onChange: (id: Id) => void
  readonly isDisabled?: boolean
}

/** A choice of few, each with a sentence about it. */
export const RadioChoice = <Id extends string>({
  label,
  options,
  value,
  onChange,
  isDisabled = false,
}: RadioChoiceProps<Id>) => (
  <RadioGroup value={value} onChange={id => onChange(id as Id)} isDisabled={isDisabled}>
    <Label>{label}</Label>
    <div className="grid gap-2">
      {options.map(option => (
        <Radio
          key={option.id}
          value={option.id}
          className="group flex items-start gap-3 rounded-xl border border-line bg-card p-3 text-sm data-selected:border-accent data-selected:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-accent data-disabled:opacity-60"
        >
          <span
            aria-hidden="true"
            className="mt-0.5 size-4 shrink-0 rounded-full border border-edge bg-card group-data-selected:border-[5px] group-data-selected:border-accent"
          />
          <span>
            <span className="block font-medium">{option.label}</span>
            {option.hint && <span className="block text-[0.8125rem] text-muted">{option.hint}</span>}
          </span>
        </Radio>
      ))}
    </div>
  </RadioGroup>
)
