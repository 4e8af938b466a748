// The text that is edited, for the parts around it: toolbar, menu and inspector.
import type { Token } from '@signoff/render'
import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useSyncExternalStore } from 'react'
import type { TokenChange } from '../model/token-styles.ts'

/** The panels of the toolbar. */
export type TextPanel = 'color' | 'link'

export interface TextSnapshot {
  readonly state: EditorState
  readonly panel: TextPanel | undefined
}

/** The commands of the parts around the text. These parts are loaded before ProseMirror is. */
interface TextCommands {
  readonly selectedTokens: (state: EditorState) => readonly Token[]
  /** Changes with the same step in a row are one step of undo. */
  readonly changeTokens: (view: EditorView, change: TokenChange, step: string) => void
}

interface TextSessionOptions {
  readonly id: string
  readonly hasLinks: boolean
  readonly commands: TextCommands
}

export class TextSession {
  readonly id: string
  readonly view: EditorView
  readonly hasLinks: boolean
  /** The menu at the cursor, while it is open. */
  onMenuKey: (event: KeyboardEvent) => boolean = () => false
  readonly #commands: TextCommands
  #snapshot: TextSnapshot
  readonly #listeners = new Set<() => void>()

  constructor(options: TextSessionOptions, makeView: (session: () => TextSession) => EditorView) {
    this.id = options.id
    this.hasLinks = options.hasLinks
    this.#commands = options.commands
    this.view = makeView(() => this)
    this.#snapshot = { state: this.view.state, panel: undefined }
  }

  readonly getSnapshot = (): TextSnapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  selectedTokens({ state }: TextSnapshot): readonly Token[] {
    return this.#commands.selectedTokens(state)
  }

  changeTokens(change: TokenChange, step: string): void {
    this.#commands.changeTokens(this.view, change, step)
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
