import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { useTranslations } from 'use-intl'
import type { Shown } from './approval-lists.ts'

interface StatusFilterProps {
  readonly shown: Shown
  readonly onChange: (shown: Shown) => void
}

export function StatusFilter({ shown, onChange }: StatusFilterProps) {
  const t = useTranslations('approvals')
  return (
    <ToggleButtonGroup
      aria-label={t('show')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[shown]}
      onSelectionChange={keys => onChange([...keys][0] as Shown)}
      className="mb-6 inline-flex gap-0.5 rounded-xl bg-sunken p-1"
    >
      {(['pending', 'decided'] as const).map(id => (
        <ToggleButton
          key={id}
          id={id}
          className="min-h-8 rounded-lg px-3.5 text-[0.8125rem] font-medium text-muted data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:text-ink data-selected:bg-card data-selected:text-ink data-selected:shadow-raised"
        >
          {t(`shown.${id}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
