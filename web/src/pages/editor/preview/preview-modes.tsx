import { memo } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { useTranslations } from 'use-intl'
import { EditorIcon, type EditorIconName } from '../editor-icon.tsx'
import { type PreviewMode, previewModes } from './preview-state.ts'

const modeIcons: Readonly<Record<PreviewMode, EditorIconName>> = {
  edit: 'pen-line',
  desktop: 'monitor',
  phone: 'smartphone',
  dark: 'moon',
  blocked: 'image-off',
  text: 'file-text',
}

interface PreviewModesProps {
  readonly mode: PreviewMode
  readonly onChange: (mode: PreviewMode) => void
}

/** The view: only the chosen one shows its name, so that all of them fit beside the person. */
export const PreviewModes = memo(function PreviewModes({ mode, onChange }: PreviewModesProps) {
  const t = useTranslations('editor.modes')
  return (
    <ToggleButtonGroup
      aria-label={t('label')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[mode]}
      onSelectionChange={keys => {
        const [key] = [...keys]
        if (key !== undefined) onChange(key as PreviewMode)
      }}
      className="inline-flex max-w-full gap-0.5 rounded-lg bg-sunken p-0.5"
    >
      {previewModes.map(id => (
        <span key={id} className="tooltip inline-grid" data-tooltip={t(id)}>
          <ToggleButton
            id={id}
            aria-label={t(id)}
            className="inline-flex min-h-8 min-w-8 cursor-default items-center justify-center gap-1.5 rounded-md px-2 text-[0.8125rem] font-medium text-muted data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:text-ink data-selected:bg-card data-selected:text-ink data-selected:shadow-raised"
          >
            <EditorIcon name={modeIcons[id]} size={15} />
            {id === mode && <span className="max-sm:sr-only">{t(id)}</span>}
          </ToggleButton>
        </span>
      ))}
    </ToggleButtonGroup>
  )
})
