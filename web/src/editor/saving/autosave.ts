// Saves the tree a second after the last change, with the version it began with. Only one request runs at a time. When
// the service cannot be reached, it tries again until it can; when another person has saved, it stops and says so:
// states.ts has its states.
import type { Content } from '@signoff/render'
import { type SaveAction, type SaveEvent, type SaveStatus, transitionOf } from './states.ts'

export interface SaveTarget {
  /** Answers the new version. */
  readonly save: (tree: Content, version: string | undefined) => Promise<string | undefined>
  readonly eventOfFailure: (error: unknown) => 'lost' | 'stale' | 'rejected'
  /** Only `flush` saves: people get it at once, and a half written word is not for them. */
  readonly isManual?: boolean
}

interface SaveState {
  readonly status: SaveStatus
  readonly error: unknown
}

/** The content that the service has, as far as the browser knows. */
export interface SavedTree {
  readonly saved: Content
  readonly version: string | undefined
  /** Trees whose save had no answer: the service can have one of them all the same. */
  readonly sent?: readonly Content[] | undefined
}

export const saveDelay = 1_000
const longestDelay = 30_000

/** Half are the first ones of the lost connection: they are the likeliest that have arrived. */
const maxSent = 10
const withSent = (sent: readonly Content[], tree: Content): readonly Content[] =>
  sent.includes(tree) ? sent : [...(sent.length < maxSent ? sent : sent.toSpliced(maxSent / 2, 1)), tree]

export class Autosave {
  readonly #target: SaveTarget
  readonly #current: () => Content
  #saved: Content
  #sent: readonly Content[]
  /** Before the request that is under way. */
  #sentBefore: readonly Content[] = []
  #refused: Content | undefined
  #version: string | undefined
  #state: SaveState = { status: 'saved', error: undefined }
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #failures = 0
  readonly #listeners = new Set<() => void>()

  constructor(target: SaveTarget, current: () => Content, { saved, version, sent = [] }: SavedTree) {
    this.#target = target
    this.#current = current
    this.#saved = saved
    this.#version = version
    this.#sent = sent
  }

  readonly getState = (): SaveState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Version of the content that the service has. */
  get version(): string | undefined {
    return this.#version
  }

  get base(): SavedTree {
    return { saved: this.#saved, version: this.#version, sent: this.#sent }
  }

  /** Also when the tree is the saved one again: the service can have one of those that were sent. */
  get isDirty(): boolean {
    return this.#current() !== this.#saved || this.#sent.length > 0
  }

  /** Call it after every change of the tree. */
  readonly changed = (): void => {
    if (!this.isDirty) this.#on('reverted')
    else this.#on(this.#current() === this.#refused ? 'repeated' : 'edited')
  }

  /** Saves now. Resolves with whether everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    while (this.isDirty && this.#state.status !== 'conflict') {
      const failures = this.#failures
      await (this.#running ?? this.#start())
      if (this.#failures > failures) return false
    }
    return !this.isDirty
  }

  /** After a conflict: the service has this tree, and what differs from it now is saved over it. */
  rebase(saved: Content, version: string | undefined): void {
    this.#saved = saved
    this.#version = version
    this.#sent = []
    this.#on(this.isDirty ? 'rebasedOver' : 'rebased')
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#start(), delay)
  }

  #start(): Promise<void> {
    this.#running ??= this.#save().finally(() => {
      this.#running = undefined
      this.changed()
    })
    return this.#running
  }

  async #save(): Promise<void> {
    if (!this.isDirty) return
    const tree = this.#current()
    this.#sentBefore = this.#sent
    // Before the answer: the page can be reloaded while the service saves.
    this.#sent = withSent(this.#sent, tree)
    this.#on('started')
    try {
      this.#version = await this.#target.save(tree, this.#version)
      this.#on('accepted', { tree })
    } catch (error) {
      this.#failures += 1
      this.#on(this.#target.eventOfFailure(error), { tree, error })
    }
  }

  #on(event: SaveEvent, { tree, error }: { readonly tree?: Content; readonly error?: unknown } = {}): void {
    const transition = transitionOf(this.#state.status, event)
    if (!transition) return
    for (const action of transition.actions) this.#run(action, tree)
    this.#state = { status: transition.to, error }
    for (const listener of this.#listeners) listener()
  }

  #run(action: SaveAction, tree: Content | undefined): void {
    switch (action) {
      case 'saveSoon':
        if (!this.#running && !this.#target.isManual) this.#schedule(saveDelay)
        return
      case 'tryLater':
        this.#schedule(Math.min(longestDelay, saveDelay * 2 ** this.#failures))
        return
      case 'settle':
        this.#saved = tree ?? this.#saved
        this.#sent = []
        this.#failures = 0
        return
      case 'takeBack':
        this.#sent = this.#sentBefore
        return
      case 'holdBack':
        this.#refused = tree
    }
  }
}
