// One editor: its store, its saving and its panes. The pages around it say what is edited and what the header offers.
import type { Content } from '@signoff/render'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { toast } from '../../../ui/toast.tsx'
import { UnsavedQuestion } from '../../../ui/unsaved-question.tsx'
import { examplePersonQuery, type PickedAddress } from '../../signatures/example-person.ts'
import { PersonPicker } from '../../signatures/person-picker.tsx'
import { Announcements } from '../announcements.tsx'
import { ProblemsPanel } from '../check/problems-panel.tsx'
import { DragStore } from '../drag/drag-store.ts'
import { EditorContext } from '../editor-context.ts'
import { idOf } from '../model/block.ts'
import { dropBlocks } from '../model/drop.ts'
import { packHistory } from '../model/packed-history.ts'
import { EditorStore } from '../model/store.ts'
import { OriginalButton, OriginalPanel, useOriginal } from '../original/original-panel.tsx'
import { type PreviewMode, PreviewModes } from '../preview/preview-modes.tsx'
import { ConflictBar } from './conflict-bar.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorPanes } from './editor-panes.tsx'
import { storeHistory } from './history-storage.ts'
import { historyFrom, type Opened, openedQuery, storedTree } from './opened.ts'
import { runShortcut } from './shortcuts.ts'
import type { EditorTarget } from './targets.ts'
import { useAutosave } from './use-autosave.ts'
import { useClipboard } from './use-clipboard.ts'

interface ContentEditorProps {
  readonly target: EditorTarget
  readonly backTo: string
  /** Buttons of the header. `flush` saves everything first, and says whether it could. */
  readonly actions?: (editor: { readonly flush: () => Promise<boolean> }) => ReactNode
}

export function ContentEditor(props: ContentEditorProps) {
  const { data: opened } = useSuspenseQuery(openedQuery(props.target))
  return <OpenEditor key={props.target.key} {...props} opened={opened} />
}

function newParts(kind: EditorTarget['kind'], opened: Opened) {
  const store = new EditorStore(kind, historyFrom(opened))
  const drag = new DragStore((dragged, spot) => {
    store.change(root => dropBlocks(root, dragged, spot), { select: dragged.blocks.map(idOf) })
  })
  return { store, drag }
}

function OpenEditor({ target, backTo, actions, opened }: ContentEditorProps & { readonly opened: Opened }) {
  const t = useTranslations('editor')
  const [parts] = useState(() => newParts(target.kind, opened))
  const { store } = parts
  const { data: example } = useQuery(examplePersonQuery)
  // Null: the person was taken away, and the fields show sample values.
  const [chosen, setChosen] = useState<PickedAddress | null>()
  const person = chosen === undefined ? (example ?? undefined) : (chosen ?? undefined)
  const [mode, setMode] = useState<PreviewMode>('edit')
  const original = useOriginal(target.signatureId)
  const save = useCallback(
    async (content: Content, version: string | undefined) => {
      const saved = await target.save(content, version)
      void storeHistory(target.key, { history: packHistory(store.history), version: saved })
      return saved
    },
    [target, store],
  )
  const stored = useMemo(() => storedTree(store.getState().tree, opened.draft.data), [store, opened])
  const { autosave, status, error } = useAutosave({ store, save, stored, version: opened.draft.etag })
  useEffect(() => {
    document.title = `${opened.name} · Signoff`
    const press = (event: KeyboardEvent) => {
      if (runShortcut(event, store)) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [store, opened.name])
  const sayRefused = useCallback(() => toast(t('palette.refused')), [t])
  useClipboard(store, sayRefused)
  const flush = async () => {
    const isSaved = await autosave.flush()
    if (!isSaved) toast(t('save.offline'))
    return isSaved
  }
  return (
    <EditorContext value={parts}>
      <Announcements>
        {/* Over the frame of the dashboard: a signature needs the width. */}
        <div className="fixed inset-0 z-30 flex min-h-0 flex-col overflow-y-auto bg-paper md:overflow-hidden">
          <EditorHeader name={opened.name} backTo={backTo} status={status} error={error}>
            {original && <OriginalButton {...original} />}
            <PreviewModes mode={mode} onChange={setMode} />
            <PersonPicker
              label={t('previewAs')}
              isLabelHidden
              placeholder={t('previewAs')}
              value={person}
              onChange={picked => setChosen(picked ?? null)}
              className="w-44"
            />
            {actions?.({ flush })}
          </EditorHeader>
          {status === 'conflict' && <ConflictBar autosave={autosave} read={target.read} />}
          <EditorPanes
            signatureId={target.signatureId}
            person={person ? { emailId: person.emailId } : 'placeholder'}
            campaign={target.kind === 'campaign' ? 'none' : 'running'}
            mode={mode}
            beside={original?.isOpen && <OriginalPanel {...original} />}
          >
            {target.signatureId !== undefined && (
              <ProblemsPanel
                signatureId={target.signatureId}
                variant={target.variant}
                savedVersion={autosave.version}
              />
            )}
          </EditorPanes>
        </div>
        <UnsavedQuestion isDirty={status === 'offline' || status === 'refused' || status === 'conflict'} />
      </Announcements>
    </EditorContext>
  )
}
