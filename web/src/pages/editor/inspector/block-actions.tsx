// What can be done with the selected blocks.
import { useTranslations } from 'use-intl'
import { useAnnounce } from '../announcements.tsx'
import { useBlockName } from '../block-names.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { EditorIcon, type EditorIconName } from '../editor-icon.tsx'
import { type BlockCommand, blockCommands, canRun } from '../model/commands.ts'
import { blockOf } from '../model/tree.ts'

const icons: Readonly<Record<BlockCommand, EditorIconName>> = {
  duplicate: 'copy',
  remove: 'trash-2',
  earlier: 'arrow-up',
  later: 'arrow-down',
  wrapRow: 'columns-2',
  wrapColumn: 'rows-2',
  unwrap: 'ungroup',
}

export function BlockActions() {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
  const { tree, selection } = useEditorState()
  const nameOf = useBlockName()
  const announce = useAnnounce()
  const [first] = selection
  const block = first === undefined ? undefined : blockOf(tree, first)
  const run = (command: BlockCommand) => {
    blockCommands[command](store)
    const name = block ? nameOf(block) : ''
    if (command === 'remove') announce(t('removed', { name }))
    if (command === 'duplicate') announce(t('duplicated', { name }))
  }
  return (
    <div role="toolbar" aria-label={t('title')} className="flex flex-wrap gap-1">
      {(Object.keys(icons) as BlockCommand[]).map(command => (
        <span key={command} className="tooltip inline-grid" data-tooltip={t(command)}>
          <button
            type="button"
            aria-label={t(command)}
            disabled={!canRun(store.getState(), command)}
            onClick={() => run(command)}
            className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink focus-visible:outline-2 focus-visible:outline-accent disabled:opacity-40"
          >
            <EditorIcon name={icons[command]} />
          </button>
        </span>
      ))}
    </div>
  )
}
