// One of several options. The list is loaded with the menus and dialogs: with the select of React Aria, its 30 kB would be
// a part of the first load.
import { type ReactNode, useId, useRef, useState } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { classes, controlFrame } from './classes.ts'
import { Icon } from './icon.tsx'
import { onDemand } from './on-demand.tsx'
import { loadOverlays } from './overlays.ts'
import type { SelectListProps } from './select-list.tsx'
import { useTypedOption } from './use-typed-option.ts'

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

const SelectList = onDemand(async () => ({ default: (await loadOverlays()).SelectList }))

/** The keys of the select of a browser: up and down open the list, left and right choose without it. */
const focusOfKeys: Readonly<Record<string, 'first' | 'last'>> = { ArrowDown: 'first', ArrowUp: 'last' }
const stepOfKeys: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 }

export function Select<Id extends string>(props: SelectProps<Id>) {
  const { label, options, value, onChange, hint, isLabelHidden, isDisabled, placeholder, className } = props
  const [labelId, valueId, hintId] = [useId(), useId(), useId()]
  const [focus, setFocus] = useState<SelectListProps['focus']>()
  const triggerRef = useRef<HTMLButtonElement>(null)
  const typedOption = useTypedOption(options, value)
  const at = options.findIndex(({ id }) => id === value)
  const press: ButtonProps['onKeyDown'] = event => {
    const { key } = event
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    const opened = hasModifier ? undefined : focusOfKeys[key]
    const step = hasModifier ? undefined : stepOfKeys[key]
    const typed = hasModifier ? undefined : typedOption(key)
    const chosen = step === undefined ? typed : options[at < 0 ? 0 : at + step]
    if (opened !== undefined) setFocus(opened)
    if (chosen && chosen.id !== value) onChange(chosen.id)
    // Keys that mean nothing here belong to the page.
    if (opened === undefined && step === undefined && !typed) event.continuePropagation()
    else event.preventDefault()
  }
  return (
    <div className={classes('block', className)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button has the keys */}
      <span
        id={labelId}
        hidden={isLabelHidden}
        onClick={() => triggerRef.current?.focus()}
        className="mb-1 block text-[0.8125rem] font-medium text-ink"
      >
        {label}
      </span>
      <AriaButton
        ref={triggerRef}
        aria-haspopup="listbox"
        aria-expanded={focus !== undefined}
        aria-labelledby={`${valueId} ${labelId}`}
        {...(hint && { 'aria-describedby': hintId })}
        {...(isDisabled !== undefined && { isDisabled })}
        onPress={({ pointerType }) =>
          setFocus(['keyboard', 'virtual'].includes(pointerType) ? 'first' : true)
        }
        onKeyDown={press}
        className={classes(controlFrame, 'flex items-center justify-between gap-2 text-start')}
      >
        <span id={valueId} className={classes('truncate', at < 0 && 'text-muted')}>
          {options[at]?.label ?? placeholder}
        </span>
        <Icon name="chevrons-up-down" size={14} className="text-muted" />
      </AriaButton>
      {hint && (
        <span id={hintId} className="mt-1 block text-[0.8125rem] text-muted">
          {hint}
        </span>
      )}
      {focus !== undefined && (
        <SelectList
          {...{ labelId, options, value, triggerRef, focus }}
          onChoose={id => {
            setFocus(undefined)
            onChange(id as Id)
          }}
          onClose={() => setFocus(undefined)}
        />
      )}
    </div>
  )
}
