// The state of one editor: the tree with its history, what is selected, and which text is being typed in. All parts of
// the editor change the tree here, so one undo covers typing, dragging and the inspector.
import type { Content, Problem } from '@signoff/render'
import { type ContentKind, idOf, tokensOf } from '#records/content/block.ts'
import { type History, newHistory, recorded, redone, undone } from './history.ts'
import { problemsOf } from './rules.ts'
import { blockOf } from './tree.ts'

export interface EditorState {
  readonly tree: Content
  readonly selection: readonly string[]
  /** The block whose words are edited in the canvas. */
  readonly editingId: string | undefined
  readonly canUndo: boolean
  readonly canRedo: boolean
}

export interface ChangeOptions {
  /** Changes in a row with the same key become one step of undo. */
  readonly mergeKey?: string
  /** The selection afterwards; without it the selection stays. */
  readonly select?: readonly string[]
}

export class EditorStore {
  readonly kind: ContentKind
  #history: History
  #selection: readonly string[] = []
  #editingId: string | undefined
  #state: EditorState
  readonly #listeners = new Set<() => void>()

  constructor(kind: ContentKind, history: History | Content) {
    this.kind = kind
    this.#history = 'past' in history ? history : newHistory(history)
    this.#state = this.#snapshot()
  }

  readonly getState = (): EditorState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get history(): History {
    return this.#history
  }

  /** Refuses a tree that the service would refuse, and returns why; an empty list when the change was made. */
  change(
    operation: (tree: Content) => Content,
    { mergeKey, select }: ChangeOptions = {},
  ): readonly Problem[] {
    const tree = operation(this.#history.present)
    if (tree !== this.#history.present) {
      const problems = problemsOf(tree, this.kind)
      if (problems.length > 0) return problems
      this.#history = recorded(this.#history, tree, this.#selection, mergeKey)
    }
    if (select) this.#selection = select
    this.#publish()
    return []
  }

  /** After the changes of another person were merged into all steps. */
  rebase(history: History): void {
    this.#history = history
    this.#publish()
  }

  select(ids: readonly string[]): void {
    if (ids.length === this.#selection.length && ids.every((id, n) => id === this.#selection[n])) return
    this.#selection = ids
    if (this.#editingId !== undefined && !ids.includes(this.#editingId)) this.#editingId = undefined
    this.#endStep()
    this.#publish()
  }

  /** Begins to edit the words of a block; undefined ends it. Blocks without words cannot be edited. */
  edit(id: string | undefined): void {
    const block = id === undefined ? undefined : blockOf(this.#history.present, id)
    if (id === this.#editingId || (id !== undefined && !(block && tokensOf(block)))) return
    this.#editingId = id
    if (id !== undefined) this.#selection = [id]
    this.#endStep()
    this.#publish()
  }

  undo(): void {
    this.#move(undone(this.#history, this.#selection))
  }

  redo(): void {
    this.#move(redone(this.#history, this.#selection))
  }

  /** The next change becomes a step of its own, whatever its key is: after a pause, or when the focus leaves. */
  endStep(): void {
    this.#endStep()
  }

  #move(moved: ReturnType<typeof undone>): void {
    if (!moved) return
    if (moved.isMerged && problemsOf(moved.history.present, this.kind).length > 0) {
      // Undo, or redo, ends here.
      const isUndo = moved.history.past.length < this.#history.past.length
      this.#history = { ...this.#history, [isUndo ? 'past' : 'future']: [] }
      this.#publish()
      return
    }
    this.#history = moved.history
    this.#selection = moved.selection
    // A step of another block was undone.
    if (!this.#selection.includes(this.#editingId ?? '')) this.#editingId = undefined
    this.#publish()
  }

  #endStep(): void {
    if (this.#history.mergeKey !== undefined) this.#history = { ...this.#history, mergeKey: undefined }
  }

  #publish(): void {
    const { present } = this.#history
    this.#selection = this.#selection.filter(id => blockOf(present, id) !== undefined)
    if (this.#editingId !== undefined && !blockOf(present, this.#editingId)) this.#editingId = undefined
    this.#state = this.#snapshot()
    for (const listener of this.#listeners) listener()
  }

  #snapshot(): EditorState {
    const { past, present, future } = this.#history
    return {
      tree: present,
      selection: this.#selection,
      editingId: this.#editingId,
      canUndo: past.length > 0,
      canRedo: future.length > 0,
    }
  }
}

/** The root cannot be moved, copied or removed. */
export const movableSelection = ({ tree, selection }: EditorState): readonly string[] =>
  selection.filter(id => id !== idOf(tree))
