// What can be done with the selected blocks.
import { useTranslations } from 'use-intl'
import { type BlockAction, keysOf, useKeyNames } from '../actions/key-map.ts'
import { actionIcons, isPossible, useBlockActions } from '../actions/use-block-actions.ts'
import { useEditor, useEditorValue } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'

const actions: readonly BlockAction[] = [
  'insertAbove',
  'insertBelow',
  'duplicate',
  'earlier',
  'later',
  'group',
  'wrapRow',
  'wrapColumn',
  'unwrap',
  'remove',
]

export function BlockActions() {
  const t = useTranslations('editor.actions')
  const { store } = useEditor()
  // The buttons stay the same while a person types.
  useEditorValue(state => actions.filter(action => isPossible(state, action)).join())
  const keyNames = useKeyNames()
  const run = useBlockActions()
  return (
    <div
      role="toolbar"
      aria-label={t('label')}
      className="tooltip-row flex flex-wrap gap-1 pointer-coarse:grid pointer-coarse:grid-cols-2"
    >
      {actions.map(action => (
        <span
          key={action}
          className="tooltip inline-grid"
          data-tooltip={`${t(action)} (${keyNames(keysOf(action) ?? '').join(' ')})`}
        >
          <button
            type="button"
            aria-label={t(action)}
            disabled={!isPossible(store.getState(), action)}
            onClick={() => run(action)}
            className="flex min-h-8 min-w-8 items-center justify-center gap-2 rounded-lg text-muted hover:bg-sunken hover:text-ink focus-visible:outline-2 focus-visible:outline-accent disabled:opacity-40 pointer-coarse:min-h-10 pointer-coarse:justify-start pointer-coarse:px-2 pointer-coarse:text-start pointer-coarse:text-[0.8125rem]"
          >
            <EditorIcon name={actionIcons[action]} />
            {/* A finger has no tooltip. */}
            <span className="hidden min-w-0 pointer-coarse:inline">{t(action)}</span>
          </button>
        </span>
      ))}
    </div>
  )
}
