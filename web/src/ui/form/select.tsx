// One of several options.
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { classes, controlFrame, optionClasses, popoverFrame } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'
import { FieldNotes, Label } from './field.tsx'

export interface SelectOption<Id extends string = string> {
  readonly id: Id
  readonly label: string
  readonly hint?: string
}

interface SelectProps<Id extends string> {
  readonly label: string
  readonly options: readonly SelectOption<Id>[]
  readonly value: Id | null
  readonly onChange: (id: Id) => void
  readonly hint?: ReactNode
  readonly isLabelHidden?: boolean
  readonly isDisabled?: boolean
  readonly placeholder?: string
  readonly className?: string
}

export function Select<Id extends string>(props: SelectProps<Id>) {
  const { label, options, value, onChange, hint, isLabelHidden, isDisabled, placeholder, className } = props
  const chosen = options.find(({ id }) => id === value)
  return (
    <AriaSelect
      value={value}
      onChange={id => onChange(id as Id)}
      isDisabled={isDisabled ?? false}
      {...(isLabelHidden && { 'aria-label': label })}
      className={classes('block', className)}
    >
      {!isLabelHidden && <Label>{label}</Label>}
      <AriaButton className={classes(controlFrame, 'flex items-center justify-between gap-2 text-start')}>
        <SelectValue className={classes('truncate', !chosen && 'text-muted')}>
          {chosen?.label ?? placeholder}
        </SelectValue>
        <Icon name="chevrons-up-down" size={14} className="text-muted" />
      </AriaButton>
      <FieldNotes hint={hint} />
      <Popover className={popoverFrame}>
        <ListBox items={options} className="max-h-72 outline-none">
          {option => (
            <ListBoxItem id={option.id} textValue={option.label} className={optionClasses}>
              <span className="flex-1">
                <span className="block">{option.label}</span>
                {option.hint && <span className="block text-xs text-muted">{option.hint}</span>}
              </span>
              <Icon name="check" size={14} className={option.id === value ? 'text-accent' : 'invisible'} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
