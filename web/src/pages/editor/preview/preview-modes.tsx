import { useTranslations } from 'use-intl'
import { Select } from '../../../ui/select.tsx'

export const previewModes = ['edit', 'desktop', 'phone', 'dark', 'blocked', 'text'] as const
export type PreviewMode = (typeof previewModes)[number]

interface PreviewModesProps {
  readonly mode: PreviewMode
  readonly onChange: (mode: PreviewMode) => void
}

export function PreviewModes({ mode, onChange }: PreviewModesProps) {
  const t = useTranslations('editor.modes')
  return (
    <Select
      label={t('label')}
      isLabelHidden
      value={mode}
      onChange={onChange}
      options={previewModes.map(id => ({ id, label: t(id) }))}
      className="w-40"
    />
  )
}
