// Which fields are columns. The choice is in the address; this browser remembers it for the next visit.
import type { SmartField } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useAddressState } from '#state/address-state.ts'
import { Checkbox } from '#ui/form/choice.tsx'
import { PopoverButton } from '#ui/overlay/popover-button.tsx'
import { canBeColumn, usualColumns } from './people-columns.tsx'

const storageKey = 'signoff.people.columns'
/** An empty value would leave the address. */
const noColumns = 'none'

function storedColumns(): readonly string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    return Array.isArray(stored) ? stored.map(String) : null
  } catch {
    return null
  }
}

export function useChosenColumns(fields: readonly SmartField[]) {
  const [{ columns }, setState] = useAddressState<'columns'>()
  const choose = (keys: readonly string[]) => {
    setState({ columns: keys.join(',') || noColumns })
    localStorage.setItem(storageKey, JSON.stringify(keys))
  }
  const chosen = columns === undefined ? (storedColumns() ?? usualColumns(fields)) : columns.split(',')
  return [chosen, choose] as const
}

interface ColumnsButtonProps {
  readonly fields: readonly SmartField[]
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

export function ColumnsButton({ fields, chosen, onChoose }: ColumnsButtonProps) {
  const t = useTranslations('people')
  const toggle = (key: string) =>
    onChoose(chosen.includes(key) ? chosen.filter(other => other !== key) : [...chosen, key])
  return (
    <PopoverButton icon="list" label={t('columns')} className="max-md:hidden">
      <div className="grid max-h-80 gap-1 p-2">
        {fields.filter(canBeColumn).map(({ key, label }) => (
          <Checkbox
            key={key}
            isSelected={chosen.includes(key)}
            onChange={() => toggle(key)}
            className="rounded-lg px-1.5 py-1 data-hovered:bg-sunken"
          >
            {label}
          </Checkbox>
        ))}
      </div>
    </PopoverButton>
  )
}
