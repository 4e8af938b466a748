// The name, how the saving stands, undo and redo, and the buttons that concern the whole signature.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Icon } from '../../../ui/icon.tsx'
import { useEditor, useEditorValue } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import type { SaveStatus } from './autosave.ts'
import { SaveStatusLine } from './save-status.tsx'

interface EditorHeaderProps {
  readonly name: string
  readonly backTo: string
  readonly status: SaveStatus
  readonly error: unknown
  readonly children?: ReactNode
}

export function EditorHeader({ name, backTo, status, error, children }: EditorHeaderProps) {
  const t = useTranslations('editor')
  const { store, menus } = useEditor()
  const canUndo = useEditorValue(state => state.canUndo)
  const canRedo = useEditorValue(state => state.canRedo)
  const steps = [
    ['undo', 'undo-2', canUndo, () => store.undo()],
    ['redo', 'redo-2', canRedo, () => store.redo()],
    ['keyMap', 'keyboard', true, () => menus.open({ kind: 'keys' })],
  ] as const
  return (
    <header
      data-pane="header"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-card px-4 py-2.5"
    >
      <Link
        to={backTo}
        aria-label={t('back', { kind: store.kind })}
        className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name="chevron-left" className="rtl:rotate-180" />
      </Link>
      <h1 className="min-w-0 truncate font-semibold">{name}</h1>
      <SaveStatusLine status={status} error={error} />
      <div className="ms-auto flex flex-wrap items-center gap-2">
        {steps.map(([id, icon, isEnabled, run]) => (
          <span key={id} className="tooltip inline-grid" data-tooltip={t(id)}>
            <button
              type="button"
              aria-label={t(id)}
              disabled={!isEnabled}
              onClick={run}
              className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink focus-visible:outline-2 focus-visible:outline-accent disabled:opacity-40"
            >
              <EditorIcon name={icon} />
            </button>
          </span>
        ))}
        {children}
      </div>
    </header>
  )
}
