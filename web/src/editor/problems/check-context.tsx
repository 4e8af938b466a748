// The problems of the draft, for the panel below the canvas and for the marks beside the blocks.
import type { Content } from '@signoff/render'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { api } from '#api/client.ts'
import { useEditor } from '../kit/editor-context.ts'
import { useShownPreview } from '../rendering/preview-state.tsx'
import { BlockProblems, type Mended, mendedBy, openProblem } from './block-problems.ts'
import {
  bySeverity,
  checkedProblems,
  drawnProblems,
  problemsByBlock,
  type ShownProblem,
} from './shown-problems.ts'

interface CheckData {
  /** False until the first check has answered. */
  readonly isKnown: boolean
  readonly problems: readonly ShownProblem[]
  readonly byBlock: ReadonlyMap<string, readonly ShownProblem[]>
  /** The problem without the blocks whose remedy was used; undefined: it waits for the next check. */
  readonly openPart: (problem: ShownProblem) => ShownProblem | undefined
  /** After a remedy has changed the tree. */
  readonly markMended: (problem: ShownProblem, before: Content) => void
  /** The service does not get the changes, so that it cannot check them. */
  readonly isPaused: boolean
}

const nothingKnown: CheckData = {
  isKnown: false,
  problems: [],
  byBlock: new Map(),
  openPart: problem => problem,
  markMended: () => undefined,
  isPaused: false,
}

const CheckContext = createContext(nothingKnown)

export const useCheck = (): CheckData => useContext(CheckContext)

const MarksContext = createContext(new BlockProblems())

/** Problems of a block with a mark: the mark is drawn again only when they change. */
export function useProblemsOf(blockId: string): readonly ShownProblem[] {
  const marks = useContext(MarksContext)
  return useSyncExternalStore(marks.subscribe, () => marks.of(blockId))
}

interface CheckProviderProps {
  readonly variant: 'reply' | 'internal' | undefined
  /** Changes after each save: the service checks what it has. */
  readonly savedVersion: string | undefined
  readonly isPaused: boolean
  readonly children: ReactNode
}

export function CheckProvider({ variant, savedVersion, isPaused, children }: CheckProviderProps) {
  const { store } = useEditor()
  const { drawing, drawnTree: tree, signatureId, isPainted } = useShownPreview()
  const { data } = useQuery({
    queryKey: ['signatures', 'check', signatureId, variant ?? 'primary', savedVersion],
    queryFn: () => api.signatures.check(signatureId ?? '', variant ? { variant } : {}),
    placeholderData: keepPreviousData,
    enabled: isPainted && signatureId !== undefined,
  })
  const [mended, setMended] = useState<{ readonly of: unknown; readonly list: readonly Mended[] }>()
  const value = useMemo((): CheckData => {
    const isBanner = store.kind === 'campaign'
    const problems = bySeverity([
      ...(data ? checkedProblems(tree, data) : []),
      ...drawnProblems(tree, drawing?.warnings ?? [], isBanner),
    ])
    const list = mended?.of === data ? (mended?.list ?? []) : []
    const openPart = (problem: ShownProblem) => openProblem(problem, list, store.history)
    return {
      isKnown: isBanner ? drawing !== undefined : data !== undefined,
      problems,
      // A block without open problems loses its mark at once.
      byBlock: problemsByBlock(problems.flatMap(problem => openPart(problem) ?? [])),
      openPart,
      markMended(problem, before) {
        // What the renderer finds is drawn again at once.
        if (problem.key.startsWith('drawn ')) return
        setMended({ of: data, list: [...list, mendedBy(problem, before, store.getState().tree)] })
      },
      isPaused,
    }
  }, [store, tree, data, drawing, mended, isPaused])
  const [marks] = useState(() => new BlockProblems())
  useLayoutEffect(() => marks.set(value.byBlock), [marks, value.byBlock])
  return (
    <CheckContext value={value}>
      <MarksContext value={marks}>{children}</MarksContext>
    </CheckContext>
  )
}
