// Whether a page covers the whole window, such as the editor: the navigation behind it must not be reached by keyboard.
import { useEffect } from 'react'
import { createStore, useStore } from './create-store.ts'

const pageCount = createStore(0)

/** While the component is shown. */
export const useCoveredFrame = (): void =>
  useEffect(() => {
    pageCount.setState(pageCount.getState() + 1)
    return () => pageCount.setState(pageCount.getState() - 1)
  }, [])

export const useIsCovered = (): boolean => useStore(pageCount, count => count > 0)
