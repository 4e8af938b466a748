// The icon of a block: a button with its picture that opens all of them.
import type { IconName } from '@signoff/render'
import { useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classes, controlFrame } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { PopoverPanel } from '#ui/overlay/popover-panel.tsx'
import { symbolsFirst, useIconName } from '../blocks/icon-names.ts'
import { IconPicture } from './icon-picture.tsx'

const IconPicker = onDemand(() => import('./icon-picker.tsx'))

interface IconInputProps {
  readonly label: string
  readonly value: IconName | undefined
  readonly names?: readonly IconName[]
  /** The picture alone, for rows. */
  readonly isSmall?: boolean
  readonly onChange: (name: IconName) => void
}

export function IconInput({ label, value, names = symbolsFirst, isSmall = false, onChange }: IconInputProps) {
  const nameOf = useIconName()
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const valueName = value === undefined ? '' : nameOf(value)
  return (
    <div>
      {!isSmall && <p className="mb-1 text-[0.8125rem] font-medium">{label}</p>}
      <AriaButton
        ref={trigger}
        aria-label={`${label}: ${valueName}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
        className={classes(
          controlFrame,
          'flex items-center gap-2 text-start data-focus-visible:outline-2 data-focus-visible:outline-accent',
          isSmall && 'size-9 justify-center px-0',
        )}
      >
        {value !== undefined && <IconPicture name={value} />}
        {!isSmall && <span className="min-w-0 flex-1 truncate">{valueName}</span>}
        {!isSmall && <Icon name="chevrons-up-down" size={14} className="text-muted" />}
      </AriaButton>
      {isOpen && (
        <PopoverPanel label={label} triggerRef={trigger} onClose={() => setOpen(false)}>
          <IconPicker
            names={names}
            value={value}
            onChoose={name => {
              setOpen(false)
              onChange(name)
            }}
          />
        </PopoverPanel>
      )}
    </div>
  )
}
