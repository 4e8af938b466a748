// One editor: its store, its saving and its panes. The pages around it say what is edited and what the header offers.
import type { Content, Problem } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '#records/area-part.tsx'
import { idOf } from '#records/content/block.ts'
import { isSameDraft } from '#records/content/block-index.ts'
import { useCoveredFrame } from '#state/covered-frame.ts'
import { onDemand } from '#ui/base/on-demand.tsx'
import { toastError, toastNote } from '#ui/feedback/toast.tsx'
import { UnsavedQuestion } from '#ui/feedback/unsaved-question.tsx'
import { useRefusalText } from './actions/action-messages.ts'
import { EditorKeys } from './actions/editor-keys.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorPanes } from './editor-panes.tsx'
import { LiveNotice } from './header-buttons.tsx'
import { Announcements } from './kit/announcements.tsx'
import { DragStore } from './kit/drag-store.ts'
import { EditorContext } from './kit/editor-context.ts'
import { focusCanvas } from './kit/focus.ts'
import { MenuStore } from './kit/menu-store.ts'
import { dropBlocks } from './model/drop.ts'
import type { EditorStore } from './model/store.ts'
import type { BesideKinds } from './panels/kinds-layout.tsx'
import { OriginalButton, useOriginal } from './panels/original-button.tsx'
import { PreviewBar } from './panels/preview-bar.tsx'
import { SizeMeter } from './panels/size-meter.tsx'
import { CheckProvider } from './problems/check-context.tsx'
import { ProblemsPanel } from './problems/problem-marks.tsx'
import { LivePreview, type PreviewState } from './rendering/preview-state.tsx'
import type { RenderingOptions } from './rendering/use-rendering.ts'
import { type EditingSession, sessionQuery } from './saving/editing-session.ts'
import { rebasedHistory } from './saving/rebased-history.ts'
import type { SaveStatus } from './saving/states.ts'
import type { EditorTarget } from './saving/targets.ts'

const OriginalPanel = areaPart(['signatures'], () => import('./panels/original-panel.tsx'))
const loadNotices = () => import('./saving/save-notices.tsx')
const SaveNotices = onDemand(loadNotices)

export interface HeaderTools {
  /** Saves everything first, and says whether it could. */
  readonly flush: () => Promise<boolean>
  /**
   * After a save, or a change of the service that leaves the draft as it is, such as a publish: takes over what the
   * service has. False: a colleague has saved another draft, which the editor shows now.
   */
  readonly sync: () => Promise<boolean>
  /** Whose values the editor shows. */
  readonly view: RenderingOptions
  /** Saved content reaches mailboxes by itself; `flush` saves it. */
  readonly isLive: boolean
  readonly status: SaveStatus
}

interface ContentEditorProps {
  readonly target: EditorTarget
  readonly backTo: string
  /** It stays when another kind of mail is edited. */
  readonly preview: PreviewState
  /** The first button of the header, which stays in sight on a phone. */
  readonly main?: (editor: HeaderTools) => ReactNode
  /** Further buttons of the header. */
  readonly actions?: (editor: HeaderTools) => ReactNode
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
  // Not `useSuspenseQuery`: React would show the editor at the earliest 300 ms after the page.
  const { data: session } = useQuery({ ...sessionQuery(props.target), throwOnError: true })
  if (!session || !props.preview.isKnown) return null
  return <OpenEditor key={props.target.key} {...props} session={session} />
}

function newParts(store: EditorStore, onRefused: (problems: readonly Problem[]) => void) {
  const drag = new DragStore((dragged, spot) => {
    const select = dragged.blocks.map(idOf)
    const problems = store.change(root => dropBlocks(root, dragged, spot), { select })
    if (problems.length > 0) onRefused(problems)
    // Where a new block came from, a key would add it once more.
    if (dragged.movedIds.length === 0) focusCanvas()
  })
  return { store, drag, menus: new MenuStore() }
}

/** True if the service does not get the changes of the editor. */
const isUnsavable = (status: SaveStatus): boolean =>
  status === 'offline' || status === 'refused' || status === 'conflict'

/**
 * True once a save was refused: the notices stay on the page. Their code is loaded with the first change, because
 * the service can be away when it is needed.
 */
function useHasNotices(store: EditorStore, status: SaveStatus): boolean {
  const [wasRefused, setRefused] = useState(false)
  const isRefused = status === 'conflict' || status === 'refused'
  if (isRefused && !wasRefused) setRefused(true)
  useEffect(() => {
    const { tree } = store.getState()
    const stop = store.subscribe(() => {
      if (store.getState().tree === tree) return
      stop()
      loadNotices().catch(() => undefined)
    })
    return stop
  }, [store])
  return wasRefused
}

function OpenEditor({
  target,
  backTo,
  main,
  actions,
  session,
  ...props
}: ContentEditorProps & { readonly session: EditingSession }) {
  const t = useTranslations('editor')
  const { store, autosave, name } = session
  const refusalText = useRefusalText(store.kind)
  const [parts] = useState(() =>
    newParts(store, problems => toastNote(refusalText(problems, t('palette.refused')))),
  )
  const { status, error } = useSyncExternalStore(autosave.subscribe, autosave.getState)
  useEffect(() => {
    session.open()
    return () => {
      void session.close().then(isSaved => {
        if (isSaved) return
        const { status: last } = autosave.getState()
        const way = last === 'offline' ? 'later' : session.isLive && last === 'waiting' ? 'live' : 'open'
        toastNote(t(`save.left.${way}`, { name }))
      })
    }
  }, [session])
  useCoveredFrame()
  const isKeptForLater = useRef(false)
  const hasNotices = useHasNotices(store, status)
  const original = useOriginal(target.signatureId)
  useEffect(() => {
    document.title = `${name} · Signoff`
  }, [name])
  useEffect(() => () => parts.drag.dispose(), [parts])
  const { onTree } = props
  useEffect(() => store.subscribe(() => onTree?.(store.getState().tree)), [store, onTree])
  const flush = async () => {
    const isSaved = await autosave.flush()
    if (!isSaved) toastError(t(`save.${autosave.getState().status === 'offline' ? 'offline' : 'first'}`))
    return isSaved
  }
  const sync = async () => {
    const { data, etag } = await target.read()
    const { saved } = autosave.base
    const isSame = isSameDraft(data, saved)
    if (isSame) autosave.rebase(saved, etag)
    else if (!autosave.isDirty) {
      store.rebase(rebasedHistory(store.history, { base: saved, theirs: data, kind: store.kind }))
      autosave.rebase(store.getState().tree, etag)
    }
    return isSame
  }
  const { person, campaign } = props.preview
  const view = useMemo(
    () => ({ person, campaign, signatureId: target.signatureId }),
    [person, campaign, target],
  )
  const { isLive } = session
  const tools = { flush, sync, view, isLive, status }
  return (
    <EditorContext value={parts}>
      <Announcements>
        <EditorKeys />
        <LivePreview
          state={props.preview}
          signatureId={target.signatureId}
          hasCampaigns={props.hasCampaigns ?? true}
        >
          <CheckProvider
            variant={target.variant}
            savedVersion={autosave.version}
            isPaused={isUnsavable(status)}
          >
            {/* Over the frame of the dashboard: a signature needs the width. */}
            <div
              data-editor-scroll=""
              className="fixed inset-0 z-30 flex min-h-0 flex-col overflow-y-auto bg-paper md:overflow-hidden"
            >
              <EditorHeader
                name={name}
                backTo={backTo}
                status={status}
                error={error}
                isLive={isLive}
                main={main?.(tools)}
              >
                {original && <OriginalButton {...original} />}
                {actions?.(tools)}
              </EditorHeader>
              {isLive && <LiveNotice />}
              {hasNotices && (
                <SaveNotices
                  target={target}
                  name={name}
                  autosave={autosave}
                  status={status}
                  error={error}
                  view={view}
                  onLeave={async () => {
                    isKeptForLater.current = await session.keep()
                  }}
                />
              )}
              <EditorPanes
                bar={<PreviewBar>{props.tools}</PreviewBar>}
                original={original?.isOpen && <OriginalPanel {...original} />}
                beside={props.beside}
              >
                <SizeMeter />
                <ProblemsPanel />
              </EditorPanes>
            </div>
          </CheckProvider>
        </LivePreview>
        <UnsavedQuestion isDirty={() => isUnsavable(status) && autosave.isDirty && !isKeptForLater.current} />
      </Announcements>
    </EditorContext>
  )
}
