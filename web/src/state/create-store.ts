// A value outside of React that components show, such as what a menu has open.
import { useSyncExternalStore } from 'react'

interface Store<State> {
  readonly getState: () => State
  readonly setState: (next: State) => void
  /** Returns what ends it. */
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    setState(next) {
      if (Object.is(next, state)) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <State, Part = State>(
  { subscribe, getState }: Pick<Store<State>, 'subscribe' | 'getState'>,
  select = (state: State) => state as unknown as Part,
): Part => useSyncExternalStore(subscribe, () => select(getState()))
