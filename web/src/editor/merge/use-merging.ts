// After a save that was refused because another person has saved: reads the other version, merges both, and asks only
// where that is not possible.
import type { Content } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { isSignoffError } from '#state/errors.ts'
import type { Versioned } from '#state/versioned.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import type { Autosave, SaveStatus } from '../page/autosave.ts'
import type { EditorTarget } from '../page/targets.ts'
import type { Merge, MergeChoices, MergeSide } from './merge.ts'
import { mergeWith, takeOver } from './take-over.ts'

interface MergingOptions {
  readonly target: EditorTarget
  readonly autosave: Autosave
  readonly status: SaveStatus
  /** After both were merged without a question that is still open. `version`: that the refused save began with. */
  readonly onMerged: (merge: Merge, version: string | undefined) => void
}

export interface Merging {
  /** Undefined until the other version is read. */
  readonly merge: Merge | undefined
  /** What the other person has saved. */
  readonly theirs: Content | undefined
  readonly choices: MergeChoices
  readonly choose: (keys: readonly string[], side: MergeSide) => void
  readonly error: unknown
  readonly retry: () => void
}

const noChoices: MergeChoices = new Map()

const isLost = (error: unknown): boolean =>
  !isSignoffError(error) || error.status >= 500 || error.status < 400

export function useMerging({ target, autosave, status, onMerged }: MergingOptions): Merging {
  const { store } = useEditor()
  const { tree } = useEditorState()
  const isNeeded = status === 'conflict'
  const [choices, setChoices] = useState(noChoices)
  const { data, error, refetch } = useQuery<Versioned<Content>>({
    queryKey: ['editor', target.key, 'theirs', autosave.version],
    queryFn: () => target.read(),
    enabled: isNeeded,
    retry: (_, failure) => isLost(failure),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const theirs = isNeeded ? data : undefined
  const merge = useMemo(
    () => theirs && mergeWith({ store, autosave }, theirs.data, choices),
    [theirs, tree, choices, autosave, store],
  )
  const isOpen = merge?.conflicts.some(({ key }) => !choices.has(key))
  useEffect(() => {
    if (!theirs || !merge || isOpen) return
    const { version } = autosave
    takeOver({ store, autosave }, theirs, choices)
    setChoices(noChoices)
    onMerged(merge, version)
  }, [theirs, merge, isOpen, store, autosave])
  return {
    merge,
    theirs: theirs?.data,
    choices,
    choose: (keys, side) =>
      setChoices(before => new Map([...before, ...keys.map(key => [key, side] as const)])),
    error: isNeeded ? error : null,
    retry: () => void refetch(),
  }
}
