// After a save that was refused because another person has saved: reads the other version, merges both, and asks only
// where that is not possible.
import type { Content } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { isSignoffError } from '#state/errors.ts'
import type { Versioned } from '#state/versioned.ts'
import { useEditor, useEditorState } from '../kit/editor-context.ts'
import type { Autosave } from './autosave.ts'
import type { Merge, MergeChoices, MergeSide } from './merge.ts'
import { mergeWith, takeOver } from './rebased-history.ts'
import type { SaveStatus } from './states.ts'
import type { EditorTarget } from './targets.ts'

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
  /** The content that the other person has saved. */
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

// Who has saved last, from the audit log, for members who can read it.

interface LastSaver {
  /** Undefined: the same person, in another window. */
  readonly name: string | undefined
  readonly at: Date
}

/** Other entries, such as a publish, are not the saves that the refused one came after. */
async function newestSave({ actions, resourceId }: EditorTarget['audit']) {
  const id = await resourceId()
  if (id === null) return null
  const newest = await Promise.all(
    actions.map(action => api.auditLog.list({ resource_id: id, action, limit: 1 })),
  )
  return newest.flat().sort((a, b) => b.created_at.localeCompare(a.created_at))[0] ?? null
}

/**
 * Undefined until it is known, null where the service does not tell it. `version`: that a refused save began with, so
 * that each conflict is asked for anew.
 */
export function useLastSaver(
  { key, audit }: EditorTarget,
  version: string | undefined,
  isNeeded: boolean,
): LastSaver | null | undefined {
  const can = useCan()
  const me = useMe()
  const canRead = can('audit_log:read')
  const { data, isError } = useQuery({
    queryKey: ['audit-log', 'last', key, version],
    queryFn: () => newestSave(audit),
    enabled: isNeeded && canRead,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!canRead || isError) return null
  if (!data) return data
  const name = data.member_name ?? data.api_key_name
  if (name === null) return null
  return {
    name: data.member_id === me.member.id ? undefined : name,
    at: new Date(data.created_at),
  }
}
