// Saves the tree a second after the last change, with the version it began with. Only one request runs at a time. When
// the service cannot be reached, it tries again until it can; when another person has saved, it stops and says so.
import type { Content } from '@signoff/render'

export type SaveStatus = 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict' | 'refused'

export interface SaveTarget {
  /** Answers the new version. */
  readonly save: (tree: Content, version: string | undefined) => Promise<string | undefined>
  readonly kindOfFailure: (error: unknown) => 'offline' | 'conflict' | 'refused'
}

interface SaveState {
  readonly status: SaveStatus
  readonly error: unknown
}

export const saveDelay = 1_000
const longestDelay = 30_000

export class Autosave {
  readonly #target: SaveTarget
  readonly #current: () => Content
  #saved: Content
  #version: string | undefined
  #state: SaveState = { status: 'saved', error: undefined }
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #failures = 0
  readonly #listeners = new Set<() => void>()

  constructor(target: SaveTarget, current: () => Content, saved: Content, version: string | undefined) {
    this.#target = target
    this.#current = current
    this.#saved = saved
    this.#version = version
  }

  readonly getState = (): SaveState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Of what the service has. */
  get version(): string | undefined {
    return this.#version
  }

  get isDirty(): boolean {
    return this.#current() !== this.#saved
  }

  /** Call it after every change of the tree. */
  readonly changed = (): void => {
    if (!this.isDirty && this.#state.status === 'waiting') this.#set('saved')
    if (!this.isDirty || this.#state.status === 'conflict') return
    if (this.#state.status !== 'saving' && this.#state.status !== 'offline') this.#set('waiting')
    if (!this.#running) this.#schedule(saveDelay)
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

  /** After a conflict: the tree is saved over the version of the other person. */
  saveOver(version: string | undefined): void {
    this.#version = version
    this.#set('waiting')
    void this.#start()
  }

  /** After a conflict: the tree of the other person is what is stored. */
  accept(tree: Content, version: string | undefined): void {
    this.#saved = tree
    this.#version = version
    this.#set('saved')
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
    this.#set('saving')
    try {
      this.#version = await this.#target.save(tree, this.#version)
      this.#saved = tree
      this.#failures = 0
      this.#set('saved')
    } catch (error) {
      this.#failures += 1
      const status = this.#target.kindOfFailure(error)
      this.#set(status, error)
      if (status === 'offline') this.#schedule(Math.min(longestDelay, saveDelay * 2 ** this.#failures))
    }
  }

  #set(status: SaveStatus, error?: unknown): void {
    this.#state = { status, error }
    for (const listener of this.#listeners) listener()
  }
}
