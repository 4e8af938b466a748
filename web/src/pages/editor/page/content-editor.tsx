// One editor: its store, its saving and its panes. The pages around it say what is edited and what the header offers.
import type { Content } from '@signoff/render'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { toast } from '../../../ui/toast.tsx'
import { UnsavedQuestion } from '../../../ui/unsaved-question.tsx'
import { Announcements } from '../announcements.tsx'
import { CheckProvider } from '../check/check-context.tsx'
import { ProblemsPanel } from '../check/problems-panel.tsx'
import { DragStore } from '../drag/drag-store.ts'
import { EditorContext } from '../editor-context.ts'
import { EditorKeys } from '../keys/editor-keys.tsx'
import type { BesideKinds } from '../kinds/kinds-layout.tsx'
import { MenuStore } from '../menus/menu-store.ts'
import { idOf } from '../model/block.ts'
import { dropBlocks } from '../model/drop.ts'
import { packHistory } from '../model/packed-history.ts'
import { EditorStore } from '../model/store.ts'
import { LivePreview } from '../preview/live-preview.tsx'
import { PreviewBar } from '../preview/preview-bar.tsx'
import type { PreviewState } from '../preview/preview-state.ts'
import { SizeMeter } from '../preview/size-meter.tsx'
import { ConflictBar } from './conflict-bar.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorPanes } from './editor-panes.tsx'
import { storeHistory } from './history-storage.ts'
import { historyFrom, type Opened, openedQuery, storedTree } from './opened.ts'
import type { EditorTarget } from './targets.ts'
import { useAutosave } from './use-autosave.ts'

interface ContentEditorProps {
  readonly target: EditorTarget
  readonly backTo: string
  /** It stays when another kind of mail is edited. */
  readonly preview: PreviewState
  /** Buttons of the header. `flush` saves everything first, and says whether it could. */
  readonly actions?: (editor: { readonly flush: () => Promise<boolean> }) => ReactNode
  /** At the end of the bar above the canvas. */
  readonly tools?: ReactNode
  /** Beside the canvas, when the person wants to see all kinds of mail. */
  readonly beside?: BesideKinds | undefined
  /** False: the variant is sent without campaigns. */
  readonly hasCampaigns?: boolean
  /** After every change. */
  readonly onTree?: (tree: Content) => void
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
  return { store, drag, menus: new MenuStore() }
}

function OpenEditor({
  target,
  backTo,
  actions,
  opened,
  ...props
}: ContentEditorProps & { readonly opened: Opened }) {
  const t = useTranslations('editor')
  const [parts] = useState(() => newParts(target.kind, opened))
  const { store } = parts
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
  }, [opened.name])
  const { onTree } = props
  useEffect(() => store.subscribe(() => onTree?.(store.getState().tree)), [store, onTree])
  const flush = async () => {
    const isSaved = await autosave.flush()
    if (!isSaved) toast(t('save.offline'))
    return isSaved
  }
  return (
    <EditorContext value={parts}>
      <Announcements>
        <EditorKeys />
        <LivePreview
          state={props.preview}
          signatureId={target.signatureId}
          hasCampaigns={props.hasCampaigns ?? true}
        >
          <CheckProvider variant={target.variant} savedVersion={autosave.version}>
            {/* Over the frame of the dashboard: a signature needs the width. */}
            <div className="fixed inset-0 z-30 flex min-h-0 flex-col overflow-y-auto bg-paper md:overflow-hidden">
              <EditorHeader name={opened.name} backTo={backTo} status={status} error={error}>
                {actions?.({ flush })}
              </EditorHeader>
              {status === 'conflict' && <ConflictBar autosave={autosave} read={target.read} />}
              <EditorPanes bar={<PreviewBar>{props.tools}</PreviewBar>} beside={props.beside}>
                <SizeMeter />
                <ProblemsPanel />
              </EditorPanes>
            </div>
          </CheckProvider>
        </LivePreview>
        <UnsavedQuestion isDirty={status === 'offline' || status === 'refused' || status === 'conflict'} />
      </Announcements>
    </EditorContext>
  )
}
