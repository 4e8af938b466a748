// `/signatures/{id}/edit`: the editor of a signature's draft.
import { type Content, fillIds } from '@signoff/render'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { type Versioned, versioned } from '../../api/use-resource.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx'
import { PersonPicker, type PickedAddress } from '../signatures/person-picker.tsx'
import { refreshSignatures, signaturePath, signatureQuery } from '../signatures/signature-data.ts'
import { Announcements } from './announcements.tsx'
import { DragStore } from './drag/drag-store.ts'
import { EditorContext } from './editor-context.ts'
import { idOf } from './model/block.ts'
import { dropBlocks } from './model/drop.ts'
import { newHistory } from './model/history.ts'
import { newId } from './model/ids.ts'
import { packHistory, unpackHistory } from './model/packed-history.ts'
import { EditorStore } from './model/store.ts'
import { ConflictBar } from './page/conflict-bar.tsx'
import { EditorHeader } from './page/editor-header.tsx'
import { EditorPanes } from './page/editor-panes.tsx'
import { loadHistory, type StoredHistory, storeHistory } from './page/history-storage.ts'
import { runShortcut } from './page/shortcuts.ts'
import { useAutosave } from './page/use-autosave.ts'
import { useClipboard } from './page/use-clipboard.ts'

const PublishDialog = lazy(() => import('../signatures/publish/publish-dialog.tsx'))

interface Loaded {
  readonly name: string
  readonly draft: Versioned<Content>
  readonly kept: StoredHistory | undefined
}

const historyKey = (id: string): string => `signature ${id}`

const readDraft = async (id: string): Promise<Versioned<Content> & { readonly name: string }> => {
  const { data, etag } = await versioned(api.signatures.get(id))
  return { name: data.name, data: fillIds(data.draft_content as Content, newId), etag }
}

/** Read once when the editor opens; later versions come from its own saves. */
const openedQuery = (id: string) => ({
  queryKey: ['signatures', 'editor', id],
  queryFn: async (): Promise<Loaded> => {
    const [{ name, ...draft }, kept] = await Promise.all([readDraft(id), loadHistory(historyKey(id))])
    return { name, draft, kept }
  },
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})

const isSame = (one: Content, other: Content): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The kept history, when it leads to what is stored, or has changes to the same version that were not saved. */
function historyFrom({ draft, kept }: Loaded) {
  if (!kept) return newHistory(draft.data)
  const history = unpackHistory(kept.history)
  return kept.version === draft.etag || isSame(history.present, draft.data) ? history : newHistory(draft.data)
}

/** The tree that the service has: the kept one when it is the same, so that nothing looks changed. */
const storedTree = (present: Content, draft: Content): Content => (isSame(present, draft) ? present : draft)

export default function EditorPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: loaded } = useSuspenseQuery(openedQuery(id))
  return <SignatureEditor key={id} id={id} loaded={loaded} />
}

function useEditorParts(loaded: Loaded) {
  return useMemo(() => {
    const store = new EditorStore('signature', historyFrom(loaded))
    const drag = new DragStore((dragged, spot) => {
      store.change(root => dropBlocks(root, dragged, spot), { select: dragged.blocks.map(idOf) })
    })
    return { store, drag }
  }, [])
}

function SignatureEditor({ id, loaded }: { readonly id: string; readonly loaded: Loaded }) {
  const t = useTranslations('editor')
  const parts = useEditorParts(loaded)
  const { store } = parts
  const [person, setPerson] = useState<PickedAddress>()
  const [isPublishing, setPublishing] = useState(false)
  const save = useCallback(
    async (content: Content, version: string | undefined) => {
      const saved = await versioned(
        api.signatures.update(id, { draft_content: content } as never, version ? { ifMatch: version } : {}),
      )
      void storeHistory(historyKey(id), { history: packHistory(store.history), version: saved.etag })
      return saved.etag
    },
    [id, store],
  )
  const { autosave, status, error } = useAutosave({
    store,
    save,
    stored: storedTree(store.getState().tree, loaded.draft.data),
    version: loaded.draft.etag,
  })
  useEffect(() => {
    document.title = `${loaded.name} · Signoff`
    const press = (event: KeyboardEvent) => runShortcut(event, store) && event.preventDefault()
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [store, loaded.name])
  useClipboard(
    store,
    useCallback(() => toast(t('palette.refused')), [t]),
  )
  const publish = async () => {
    if (!(await autosave.flush())) return toast(t('save.offline'))
    await refreshSignatures()
    setPublishing(true)
  }
  return (
    <EditorContext value={parts}>
      <Announcements>
        <div className="flex h-dvh min-h-0 flex-col">
          <EditorHeader name={loaded.name} backTo={signaturePath(id)} status={status} error={error}>
            <PersonPicker
              label={t('previewAs')}
              isLabelHidden
              placeholder={t('previewAs')}
              value={person}
              onChange={setPerson}
              className="w-52"
            />
            <Button look="primary" icon="rocket" onPress={() => void publish()}>
              {t('publish')}
            </Button>
          </EditorHeader>
          {status === 'conflict' && <ConflictBar autosave={autosave} read={() => readDraft(id)} />}
          <EditorPanes
            signatureId={id}
            person={person ? { emailId: person.emailId } : 'placeholder'}
            campaign="running"
          />
        </div>
        <UnsavedGuard isDirty={status === 'offline' || status === 'refused' || status === 'conflict'} />
        <Suspense fallback={null}>
          {isPublishing && <PublishNow id={id} onClose={() => setPublishing(false)} />}
        </Suspense>
      </Announcements>
    </EditorContext>
  )
}

function PublishNow({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data } = useSuspenseQuery(signatureQuery(id))
  return <PublishDialog signature={data} onClose={onClose} />
}
