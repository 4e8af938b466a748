// Another person has saved meanwhile: their version and mine, and which one stays.
import type { Content } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Versioned } from '../../../api/use-resource.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/page.tsx'
import { changesBetween } from '../../signatures/versions/content-changes.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import type { Autosave } from './autosave.ts'

interface ConflictBarProps {
  readonly autosave: Autosave
  readonly read: () => Promise<Versioned<Content>>
}

export function ConflictBar({ autosave, read }: ConflictBarProps) {
  const t = useTranslations('editor.conflict')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const { data: other } = useQuery({ queryKey: ['signatures', 'editor', 'other'], queryFn: read, gcTime: 0 })
  const changes = other ? changesBetween(tree as never, other.data as never) : []
  const takeOther = () => {
    if (!other) return
    store.change(() => other.data, { select: [] })
    autosave.accept(store.getState().tree, other.etag)
  }
  return (
    <div role="alert" className="px-4 pt-3">
      <Notice kind="warn">
        <span className="flex flex-wrap items-center gap-3">
          {t('text', { count: changes.length })}
          <Button isSmall isDisabled={!other} onPress={takeOther}>
            {t('takeOther')}
          </Button>
          <Button isSmall isDisabled={!other} onPress={() => autosave.saveOver(other?.etag)}>
            {t('keepMine')}
          </Button>
        </span>
      </Notice>
    </div>
  )
}
