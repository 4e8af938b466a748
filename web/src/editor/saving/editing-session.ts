// One content that is edited: its store, its saving, and what the browser keeps of it. It goes on after its page is left,
// until everything is saved or a person has to decide.
import { codeOf, isSignoffError, isStale } from '#state/errors.ts'
import { packHistory } from '../model/history.ts'
import { EditorStore } from '../model/store.ts'
import { Autosave, type SaveTarget } from './autosave.ts'
import { type Beginning, beginningOf, type UnsavedBase, withCopies } from './kept-rows.ts'
import {
  hasUnsaved,
  holdRow,
  loadKept,
  newRowKeys,
  type RowKeys,
  storeCopy,
  storeRow,
} from './kept-storage.ts'
import { mergeAfterLeaving } from './rebased-history.ts'
import type { EditorTarget, ReadContent } from './targets.ts'

/** At most this much of the typing is lost when the browser itself ends. */
const keepMilliseconds = 300

interface SessionOptions {
  readonly target: EditorTarget
  readonly name: string
  /** Each save reaches mailboxes: it waits until the person wants it. */
  readonly isLive: boolean
  readonly keys: RowKeys
  readonly beginning: Beginning
}

const sessions = new Map<string, EditingSession>()

/** Open, or left with changes that are still being saved. */
export const runningSession = (targetKey: string): EditingSession | undefined => sessions.get(targetKey)

export class EditingSession {
  readonly name: string
  readonly isLive: boolean
  readonly store: EditorStore
  readonly autosave: Autosave
  readonly #target: EditorTarget
  readonly #keys: RowKeys
  #adopted: readonly string[]
  #isOpen = false
  #stops: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #merging: Promise<void> | undefined

  constructor({ target, name, isLive, keys, beginning }: SessionOptions) {
    this.name = name
    this.isLive = isLive
    this.#target = target
    this.#keys = keys
    this.#adopted = beginning.adopted
    this.store = new EditorStore(target.kind, beginning.history)
    this.autosave = new Autosave(
      { save: target.save, eventOfFailure, isManual: isLive },
      () => this.store.getState().tree,
      beginning.base,
    )
  }

  /** Called when its page is shown. */
  open(): void {
    this.#isOpen = true
    if (this.#stops.length > 0) return
    sessions.set(this.#target.key, this)
    this.#listen()
    this.autosave.changed()
    if (this.#adopted.length > 0) void this.keep()
  }

  /** Called when its page is left. Resolves to true if everything is saved; if not, it goes on trying. */
  async close(): Promise<boolean> {
    this.#isOpen = false
    void this.keep()
    if (!this.#waitsForPerson()) await this.autosave.flush()
    this.#endIfDone()
    await this.#merging
    return !this.autosave.isDirty
  }

  /** Stores the session in the browser. Resolves to true if that succeeded. */
  readonly keep = async (): Promise<boolean> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const adopted = this.#adopted
    const history = packHistory(this.store.history)
    const row = { history, storedAt: Date.now(), unsaved: this.#unsaved() }
    const isStored = await storeRow(this.#keys, row, adopted)
    if (isStored && this.#adopted === adopted) this.#adopted = []
    return isStored
  }

  #unsaved(): UnsavedBase | undefined {
    return this.autosave.isDirty ? { ...this.autosave.base, name: this.name } : undefined
  }

  /** While the page is closed there is no time for more than a copy. */
  readonly #keepAtOnce = (): boolean => {
    const unsaved = this.#unsaved()
    const present = this.store.getState().tree
    if (!unsaved) return true
    // The last save begins after this, when the page becomes hidden.
    const sent = [...(unsaved.sent ?? []), present]
    return storeCopy(this.#keys, { present, storedAt: Date.now(), unsaved: { ...unsaved, sent } })
  }

  #listen(): void {
    const { store, autosave } = this
    let seen = store.getState().tree
    const onChange = () => {
      // A selection is no change.
      if (store.getState().tree === seen) return
      seen = store.getState().tree
      this.#timer ??= setTimeout(() => void this.keep(), keepMilliseconds)
      autosave.changed()
    }
    const onStatus = () => {
      const { status } = autosave.getState()
      // What is sent is kept before the answer: a page that is reloaded meanwhile may have no time for it.
      if (status !== 'waiting') void this.keep()
      this.#endIfDone()
    }
    const onHide = () => void this.#keepAtOnce()
    const onUnload = (event: BeforeUnloadEvent) => {
      const isLate = !this.#isOpen && autosave.isDirty
      if (isLate || !this.#keepAtOnce()) event.preventDefault()
    }
    const retry = () => void (this.#waitsForPerson() || autosave.flush())
    // A person who leaves the tab, or comes back after a new sign-in in another one, does not wait for the next try.
    window.addEventListener('online', retry)
    document.addEventListener('visibilitychange', retry)
    window.addEventListener('pagehide', onHide)
    window.addEventListener('beforeunload', onUnload)
    this.#stops = [
      store.subscribe(onChange),
      autosave.subscribe(onStatus),
      holdRow(this.#keys.unsaved),
      () => window.removeEventListener('online', retry),
      () => document.removeEventListener('visibilitychange', retry),
      () => window.removeEventListener('pagehide', onHide),
      () => window.removeEventListener('beforeunload', onUnload),
    ]
  }

  /** After the page was left: when all is saved, or when the rest waits in the browser for a person. */
  #endIfDone(): void {
    const { status } = this.autosave.getState()
    if (this.#isOpen || this.#merging || this.#stops.length === 0) return
    const isDone = !this.autosave.isDirty || status === 'refused' || this.#waitsForPerson()
    if (isDone) this.#end()
    else if (status === 'conflict') this.#merging = this.#mergeLeft()
  }

  /** True if changes wait until a person saves them. A save that was sent without an answer goes on by itself. */
  #waitsForPerson(): boolean {
    const { status } = this.autosave.getState()
    return this.isLive && status !== 'offline' && status !== 'saving'
  }

  async #mergeLeft(): Promise<void> {
    await mergeAfterLeaving(this, this.#target.read, () => !this.#isOpen)
    this.#merging = undefined
    const { status } = this.autosave.getState()
    // Without a connection it goes on trying.
    if (!this.#isOpen && (!this.autosave.isDirty || status === 'conflict' || status === 'refused'))
      this.#end()
  }

  #end(): void {
    this.autosave.stop()
    void this.keep()
    for (const stop of this.#stops) stop()
    this.#stops = []
    if (sessions.get(this.#target.key) === this) sessions.delete(this.#target.key)
  }
}

// Begins to edit: reads the draft of the service, and what the browser has kept.

async function openSession(target: EditorTarget): Promise<EditingSession> {
  const running = runningSession(target.key)
  if (running) return running
  const [keys, stored, answer] = await Promise.all([
    newRowKeys(target.key),
    loadKept(target.key),
    target.read().catch((error: unknown) => ({ error })),
  ])
  const rows = withCopies(stored.rows, stored.copies)
  const begin = ({ name, isLive = false, ...draft }: ReadContent) =>
    new EditingSession({ target, name, isLive, keys, beginning: beginningOf(draft, rows, target.kind) })
  if (!('error' in answer)) return begin(answer)
  // A colleague has deleted it: unsaved changes open all the same, so that they can be kept as something new.
  const unsaved = rows.find(({ row }) => row.unsaved)?.row.unsaved
  if (!unsaved || codeOf(answer.error) !== 'not_found') throw answer.error
  return begin({ name: unsaved.name, data: unsaved.saved, etag: unsaved.version })
}

/** Read once for each visit; later versions come from the saves of the editor itself. */
export const sessionQuery = (target: EditorTarget) => ({
  queryKey: ['editor', target.key],
  queryFn: () => openSession(target),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})

/** True if the browser has changes that the service has not. */
export const unsavedQuery = (target: EditorTarget) => ({
  queryKey: ['editor', target.key, 'unsaved'],
  queryFn: async () => runningSession(target.key) !== undefined || (await hasUnsaved(target.key)),
  gcTime: 0,
})

/** Faults of the network and of the service pass; what the service refuses stays refused. */
const eventOfFailure: SaveTarget['eventOfFailure'] = error => {
  if (isStale(error)) return 'stale'
  const isRefused = isSignoffError(error) && error.status >= 400 && error.status < 500
  return isRefused && codeOf(error) !== 'rate_limited' ? 'rejected' : 'lost'
}
