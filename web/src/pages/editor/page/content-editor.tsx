// One editor: its store, its saving and its panes. The pages around it say what is edited and what the header offers.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { toast } from '../../../ui/toast.tsx'
import { UnsavedQuestion } from '../../../ui/unsaved-question.tsx'
import { examplePersonQuery, type PickedAddress } from '../../signatures/example-person.ts'
import { PersonPicker } from '../../signatures/person-picker.tsx'
import { Announcements } from '../announcements.tsx'
import { ProblemsPanel } from '../check/problems-panel.tsx'
import { DragStore } from '../drag/drag-store.ts'
import { EditorContext } from '../editor-context.ts'
import { isSameContent } from '../merge/block-index.ts'
import { idOf } from '../model/block.ts'
import { dropBlocks } from '../model/drop.ts'
import { EditorStore } from '../model/store.ts'
import { type PreviewMode, PreviewModes } from '../preview/preview-modes.tsx'
import type { RenderingOptions } from '../surroundings/use-rendering.ts'
import type { SaveStatus } from './autosave.ts'
import { EditorHeader } from './editor-header.tsx'
import { EditorPanes } from './editor-panes.tsx'
import { beginningOf, type Opened, openedQuery } from './opened.ts'
import { runShortcut } from './shortcuts.ts'
import type { EditorTarget } from './targets.ts'
import { Together } from './together.tsx'
import { useAutosave } from './use-autosave.ts'
import { useClipboard } from './use-clipboard.ts'
import { useKeptHistory } from './use-kept-history.ts'

export interface HeaderTools {
  /** Saves everything first, and says whether it could. */
  readonly flush: () => Promise<boolean>
  /** After a change of the service that leaves the draft as it is, such as a publish: takes over its version. */
  readonly sync: () => Promise<void>
  /** Whose values the editor shows. */
  readonly view: RenderingOptions
}

interface ContentEditorProps {
  readonly target: EditorTarget
  readonly backTo: string
  /** Buttons of the header. */
  readonly actions?: (editor: HeaderTools) => ReactNode
}

export function ContentEditor(props: ContentEditorProps) {
  const { data: opened } = useSuspenseQuery(openedQuery(props.target))
  return <OpenEditor key={props.target.key} {...props} opened={opened} />
}

function newParts(kind: EditorTarget['kind'], opened: Opened) {
  const { history, known } = beginningOf(opened)
  const store = new EditorStore(kind, history)
  const drag = new DragStore((dragged, spot) => {
    store.change(root => dropBlocks(root, dragged, spot), { select: dragged.blocks.map(idOf) })
  })
  return { store, drag, known }
}

/** Whether the service does not get what is typed. */
const isAway = (status: SaveStatus): boolean =>
  status === 'offline' || status === 'refused' || status === 'conflict'

function OpenEditor({ target, backTo, actions, opened }: ContentEditorProps & { readonly opened: Opened }) {
  const t = useTranslations('editor')
  const [parts] = useState(() => newParts(target.kind, opened))
  const { store } = parts
  const { data: example } = useQuery(examplePersonQuery)
  // Null: the person was taken away, and the fields show sample values.
  const [chosen, setChosen] = useState<PickedAddress | null>()
  const person = chosen === undefined ? (example ?? undefined) : (chosen ?? undefined)
  const [mode, setMode] = useState<PreviewMode>('edit')
  const { autosave, status, error } = useAutosave({ store, save: target.save, known: parts.known })
  const keep = useKeptHistory({ key: target.key, name: opened.name, store, autosave })
  const isKeptForLater = useRef(false)
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
    if (!isSaved) toast(t(`save.${autosave.getState().status === 'offline' ? 'offline' : 'first'}`))
    return isSaved
  }
  const sync = async () => {
    const { data, etag } = await target.read()
    const { saved } = autosave.known
    if (isSameContent(data, saved)) autosave.rebase(saved, etag)
  }
  const view = useMemo(
    () => ({
      person: person ? { emailId: person.emailId } : ('placeholder' as const),
      campaign: target.kind === 'campaign' ? ('none' as const) : ('running' as const),
      signatureId: target.signatureId,
    }),
    [person, target],
  )
  return (
    <EditorContext value={parts}>
      <Announcements>
        {/* Over the frame of the dashboard: a signature needs the width. */}
        <div className="fixed inset-0 z-30 flex min-h-0 flex-col overflow-y-auto bg-paper md:overflow-hidden">
          <EditorHeader name={opened.name} backTo={backTo} status={status} error={error}>
            <PreviewModes mode={mode} onChange={setMode} />
            <PersonPicker
              label={t('previewAs')}
              isLabelHidden
              placeholder={t('previewAs')}
              value={person}
              onChange={picked => setChosen(picked ?? null)}
              className="w-44"
            />
            {actions?.({ flush, sync, view })}
          </EditorHeader>
          <Together
            target={target}
            name={opened.name}
            autosave={autosave}
            status={status}
            error={error}
            view={view}
            onLeave={async () => {
              isKeptForLater.current = await keep()
            }}
          />
          <EditorPanes {...view} mode={mode}>
            {target.signatureId !== undefined && (
              <ProblemsPanel
                signatureId={target.signatureId}
                variant={target.variant}
                savedVersion={autosave.version}
              />
            )}
          </EditorPanes>
        </div>
        <UnsavedQuestion isDirty={() => isAway(status) && autosave.isDirty && !isKeptForLater.current} />
      </Announcements>
    </EditorContext>
  )
}
