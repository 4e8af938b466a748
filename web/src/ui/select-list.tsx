import type { RefObject } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { optionClasses, popoverFrame } from './classes.ts'
import { Icon } from './icon.tsx'
import type { SelectOption } from './select.tsx'

export interface SelectListProps {
  readonly labelId: string
  readonly options: readonly SelectOption[]
  readonly value: string | null
  readonly triggerRef: RefObject<HTMLButtonElement | null>
  /** Which option is focused at first, where none is chosen; `true`: the list itself. */
  readonly focus: 'first' | 'last' | true
  readonly onChoose: (id: string) => void
  readonly onClose: () => void
}

/** Also a press on the chosen option is an event: it closes the list. React Aria has it, but not in its types. */
const withDuplicates = { allowDuplicateSelectionEvents: true }

/** The open list of a select. */
export const SelectList = (props: SelectListProps) => (
  <Popover
    isOpen
    onOpenChange={open => open || props.onClose()}
    trigger="Select"
    triggerRef={props.triggerRef}
    placement="bottom start"
    aria-labelledby={props.labelId}
    className={popoverFrame}
  >
    <ListBox
      {...withDuplicates}
      aria-labelledby={props.labelId}
      items={props.options}
      selectionMode="single"
      selectedKeys={props.value === null ? [] : [props.value]}
      disallowEmptySelection
      shouldSelectOnPressUp
      shouldFocusOnHover
      autoFocus={props.focus}
      onSelectionChange={keys => {
        const [chosen] = keys
        if (chosen !== undefined) props.onChoose(String(chosen))
      }}
      className="max-h-72 outline-none"
    >
      {option => (
        <ListBoxItem id={option.id} textValue={option.label} className={optionClasses}>
          <span className="flex-1">
            <span className="block">{option.label}</span>
            {option.hint && <span className="block text-xs text-muted">{option.hint}</span>}
          </span>
          <Icon name="check" size={14} className={option.id === props.value ? 'text-accent' : 'invisible'} />
        </ListBoxItem>
      )}
    </ListBox>
  </Popover>
)
