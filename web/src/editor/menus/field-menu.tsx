// A search over the smart fields, for a new block that shows one of them.
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useInspector } from '../inspector/inspector-data.ts'
import type { Rectangle } from '../text/floating.ts'
import { fieldsForText } from '../text/menu-entries.ts'
import { SearchMenu } from './search-menu.tsx'

interface FieldMenuProps {
  readonly at: Rectangle
  readonly onChoose: (fieldId: string) => void
  readonly onClose: () => void
}

export default function FieldMenu(menu: FieldMenuProps) {
  const t = useTranslations('editor.insertField')
  const { fields } = useInspector()
  const entries = useMemo(
    () => fieldsForText(fields).map(({ id, label }) => ({ id, label, icon: 'braces' as const })),
    [fields],
  )
  const texts = { title: t('title'), search: t('search'), nothing: t('nothing') }
  return <SearchMenu {...menu} entries={entries} texts={texts} />
}
