// The blocks of a problem by their names; a press selects one.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { useBlockName } from '../block-names.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { blockOf } from '../model/tree.ts'

/** At first: more names would be longer than the problem. */
const namedBlocks = 3

export function ProblemBlocks({ ids }: { readonly ids: readonly string[] }) {
  const t = useTranslations('editor.check')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const nameOf = useBlockName()
  const [isWhole, setWhole] = useState(false)
  const names = ids.flatMap(id => {
    const block = blockOf(tree, id)
    return block && block !== tree ? [{ id, name: nameOf(block) }] : []
  })
  if (names.length === 0) return null
  const shown = isWhole ? names : names.slice(0, namedBlocks)
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-1">
      {shown.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-label={t('showBlock', { name })}
          onClick={() => store.select([id])}
          className="inline-flex min-h-6 max-w-48 items-center rounded-md bg-sunken px-2 text-xs font-medium hover:underline focus-visible:outline-2 focus-visible:outline-accent"
        >
          <span className="truncate">{name}</span>
        </button>
      ))}
      {names.length > namedBlocks && (
        <Button isSmall variant="quiet" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? t('fewerBlocks') : t('moreBlocks', { count: names.length - namedBlocks })}
        </Button>
      )}
    </p>
  )
}
