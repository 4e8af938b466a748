// A choice of few that is visible as a whole, such as the width of a preview.
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Icon, type IconName } from '../base/icon.tsx'

interface SegmentsProps<Id extends string> {
  readonly label: string
  readonly options: readonly {
    readonly id: Id
    readonly label: string
    readonly icon?: IconName
    readonly isDisabled?: boolean
  }[]
  readonly value: Id
  readonly onChange: (id: Id) => void
}

export const Segments = <Id extends string>({ label, options, value, onChange }: SegmentsProps<Id>) => (
  <ToggleButtonGroup
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={keys => {
      const [key] = [...keys]
      if (key !== undefined) onChange(key as Id)
    }}
    className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5"
  >
    {options.map(({ id, label: text, icon, isDisabled = false }) => (
      <ToggleButton
        key={id}
        id={id}
        isDisabled={isDisabled}
        className="inline-flex min-h-8 cursor-default items-center gap-1.5 rounded-md px-2.5 text-[0.8125rem] font-medium text-muted data-disabled:opacity-50 data-hovered:text-ink data-selected:bg-card data-selected:text-ink data-selected:shadow-raised data-focus-visible:outline-2 data-focus-visible:outline-accent"
      >
        {icon && <Icon name={icon} size={14} />}
        {text}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)
