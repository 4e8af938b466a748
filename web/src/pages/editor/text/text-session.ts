// The text that is edited, for the parts around it: toolbar, menu and inspector.
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useSyncExternalStore } from 'react'

/** The panels of the toolbar. */
export type TextPanel = 'color' | 'link'

export interface TextSnapshot {
  readonly state: EditorState
  readonly panel: TextPanel | undefined
}

export class TextSession {
  readonly id: string
  readonly view: EditorView
  readonly hasLinks: boolean
  /** The menu at the cursor, while it is open. */
  onMenuKey: (event: KeyboardEvent) => boolean = () => false
  #snapshot: TextSnapshot
  readonly #listeners = new Set<() => void>()

  constructor(id: string, hasLinks: boolean, makeView: (session: () => TextSession) => EditorView) {
    this.id = id
    this.hasLinks = hasLinks
    this.view = makeView(() => this)
    this.#snapshot = { state: this.view.state, panel: undefined }
  }

  readonly getSnapshot = (): TextSnapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** After every change of the view. */
  readonly publish = (): void => this.#set({ state: this.view.state, panel: this.#snapshot.panel })

  readonly openPanel = (panel: TextPanel | undefined): void => this.#set({ state: this.view.state, panel })

  #set(snapshot: TextSnapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }
}

const subscribeToNothing = () => () => {}

/** Undefined while no text is edited. */
export const useTextSnapshot = (session: TextSession | undefined): TextSnapshot | undefined =>
  useSyncExternalStore(session?.subscribe ?? subscribeToNothing, () => session?.getSnapshot())
