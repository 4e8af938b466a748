// What the parts of one editor share.
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { EditorState, EditorStore } from '../model/store.ts'
import type { DragStore } from './drag-store.ts'
import type { MenuStore } from './menu-store.ts'

export interface EditorParts {
  readonly store: EditorStore
  readonly drag: DragStore
  readonly menus: MenuStore
}

export const EditorContext = createContext<EditorParts | undefined>(undefined)

export function useEditor(): EditorParts {
  const parts = useContext(EditorContext)
  if (!parts) throw new Error('outside an editor')
  return parts
}

export function useEditorState(): EditorState {
  const { store } = useEditor()
  return useSyncExternalStore(store.subscribe, store.getState)
}

/** A plain value of the state: the component is drawn only when this value changes. */
export function useEditorValue<T extends string | number | boolean | undefined>(
  select: (state: EditorState) => T,
): T {
  const { store } = useEditor()
  return useSyncExternalStore(store.subscribe, () => select(store.getState()))
}

export function useDragState() {
  const { drag } = useEditor()
  return useSyncExternalStore(drag.subscribe, drag.getState)
}

export function useOpenMenu() {
  const { menus } = useEditor()
  return useSyncExternalStore(menus.subscribe, menus.getState)
}

export function useRenamingId() {
  const { menus } = useEditor()
  return useSyncExternalStore(menus.subscribe, menus.getRenamingId)
}

export function useSheet() {
  const { menus } = useEditor()
  return useSyncExternalStore(menus.subscribe, menus.getSheet)
}
