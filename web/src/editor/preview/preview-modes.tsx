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

/** The views as icons with tooltips: a name on the chosen one would move the others under the pointer. */
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
        <span key={id} className="tooltip tooltip-start inline-grid" data-tooltip={t(id)}>
          <ToggleButton
            id={id}
            aria-label={t(id)}
            className="inline-grid size-8 cursor-default place-items-center rounded-md text-muted data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:text-ink data-selected:bg-card data-selected:text-ink data-selected:shadow-raised"
          >
            <EditorIcon name={modeIcons[id]} size={15} />
          </ToggleButton>
        </span>
      ))}
    </ToggleButtonGroup>
  )
})
