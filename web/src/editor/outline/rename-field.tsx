// The name of a block, changed in its row.
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { useEditor } from '../editor-context.ts'
import { setProperties } from '../model/operations.ts'

interface RenameFieldProps {
  readonly block: AnyBlock
  readonly name: string
  /** Back to the row. */
  readonly onEnd: () => void
}

export function RenameField({ block, name, onEnd }: RenameFieldProps) {
  const t = useTranslations('editor.outline')
  const { store, menus } = useEditor()
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => field.current?.select(), [])
  /** An empty name is the standard one: the words of the block, or its type. */
  const end = (isKept: boolean) => {
    if (isDone.current) return
    isDone.current = true
    const typed = field.current?.value.trim() ?? ''
    if (isKept && typed !== name)
      store.change(root => setProperties(root, idOf(block), { displayName: typed || undefined }))
    menus.rename(undefined)
  }
  const press = (event: KeyboardEvent) => {
    // The arrows are for the field, not for the rows.
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    end(event.key === 'Enter')
    onEnd()
  }
  return (
    <input
      ref={field}
      aria-label={t('rename', { name })}
      defaultValue={name}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: the person has asked to rename it
      autoFocus
      onKeyDown={press}
      onBlur={() => end(true)}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      className="min-h-6 min-w-0 flex-1 rounded border border-accent bg-card px-1 outline-none select-text"
    />
  )
}
