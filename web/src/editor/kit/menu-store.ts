// Which menu of the editor is open, and where: only one is open at a time.
import type { Position } from '../model/position.ts'
import type { Rectangle } from './floating.ts'

export type OpenMenu =
  /** Blocks that can be put at a place. */
  | { readonly kind: 'insert'; readonly position: Position; readonly at: Rectangle }
  /** Smart fields for a new block; without a place it goes beside the selected block. */
  | { readonly kind: 'field'; readonly position?: Position; readonly at: Rectangle }
  /** The actions on the selected blocks. */
  | { readonly kind: 'block'; readonly at: Rectangle }
  | { readonly kind: 'keys' }

/** On a phone, the panes beside the canvas are sheets; one of them is open at a time. */
export type SheetName = 'add' | 'blocks' | 'properties'

export class MenuStore {
  #state: OpenMenu | undefined
  /** The block whose name is changed in the outline. */
  #renamingId: string | undefined
  #sheet: SheetName | undefined
  readonly #listeners = new Set<() => void>()

  readonly getState = (): OpenMenu | undefined => this.#state
  readonly getRenamingId = (): string | undefined => this.#renamingId
  readonly getSheet = (): SheetName | undefined => this.#sheet

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(menu: OpenMenu): void {
    this.#state = menu
    this.#publish()
  }

  close(): void {
    if (!this.#state) return
    this.#state = undefined
    this.#publish()
  }

  /** The name is changed in the outline, so its sheet opens. */
  rename(id: string | undefined): void {
    this.#renamingId = id
    if (id !== undefined) this.#sheet = 'blocks'
    this.#publish()
  }

  showSheet(sheet: SheetName | undefined): void {
    this.#sheet = sheet
    this.#publish()
  }

  #publish(): void {
    for (const listener of this.#listeners) listener()
  }
}

export const pointRectangle = (x: number, y: number): Rectangle => ({ left: x, top: y, right: x, bottom: y })
