// A choice from a long list, found by typing.
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { classes, controlFrame, optionClasses, popoverFrame } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'
import { FieldNotes, Label } from './field.tsx'
import type { SelectOption } from './select.tsx'

interface ComboBoxProps {
  readonly label: string
  readonly options: readonly SelectOption[]
  readonly value: string
  readonly onChange: (id: string) => void
  readonly hint?: ReactNode
  readonly name?: string
  readonly isReadOnly?: boolean
}

export const ComboBox = ({ label, options, value, onChange, hint, name, isReadOnly }: ComboBoxProps) => (
  <AriaComboBox
    defaultItems={options}
    value={value}
    onChange={key => key !== null && onChange(String(key))}
    isReadOnly={isReadOnly ?? false}
    menuTrigger="focus"
    {...(name !== undefined && { name })}
    className="block"
  >
    <Label>{label}</Label>
    <div className="relative">
      <Input className={classes(controlFrame, 'pe-9')} />
      <AriaButton className="absolute end-1 top-1 grid size-7 place-items-center rounded-md text-muted">
        <Icon name="chevrons-up-down" size={14} />
      </AriaButton>
    </div>
    <FieldNotes hint={hint} />
    <Popover className={popoverFrame}>
      <ListBox<SelectOption> className="max-h-72 outline-none">
        {option => (
          <ListBoxItem id={option.id} textValue={option.label} className={optionClasses}>
            <span className="min-w-0 flex-1 truncate">{option.label}</span>
            {option.hint && <span className="text-xs text-muted">{option.hint}</span>}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaComboBox>
)
