// Which fields are columns. The choice is kept in this browser.
import type { SmartField } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Checkbox } from '../../../ui/choice.tsx'
import { PopoverButton } from '../../../ui/popover-button.tsx'
import { canBeColumn, usualColumns } from './people-columns.tsx'

const storageKey = 'signoff.people.columns'

function storedColumns(): readonly string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    return Array.isArray(stored) ? stored.map(String) : null
  } catch {
    return null
  }
}

export function useChosenColumns(fields: readonly SmartField[]) {
  const [chosen, setChosen] = useState(storedColumns)
  const choose = (keys: readonly string[]) => {
    setChosen(keys)
    localStorage.setItem(storageKey, JSON.stringify(keys))
  }
  return [chosen ?? usualColumns(fields), choose] as const
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
