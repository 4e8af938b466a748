// The problems of the draft, for the panel below the canvas and for the marks beside the blocks.
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
import { api } from '../../../api/client.ts'
import { useEditor } from '../editor-context.ts'
import { useShownPreview } from '../preview/preview-state.ts'
import { BlockProblems } from './block-problems.ts'
import { checkedProblems, drawnProblems, problemsByBlock, type ShownProblem } from './shown-problems.ts'

interface CheckData {
  /** False until the first check has answered. */
  readonly isKnown: boolean
  readonly problems: readonly ShownProblem[]
  readonly byBlock: ReadonlyMap<string, readonly ShownProblem[]>
  /** A remedy was used, and the next check has not answered yet. */
  readonly isMended: (problem: ShownProblem) => boolean
  readonly markMended: (problem: ShownProblem) => void
}

const nothingKnown: CheckData = {
  isKnown: false,
  problems: [],
  byBlock: new Map(),
  isMended: () => false,
  markMended: () => undefined,
}

const CheckContext = createContext(nothingKnown)

export const useCheck = (): CheckData => useContext(CheckContext)

const MarksContext = createContext(new BlockProblems())

/** Of a block with a mark: drawn again only when they change. */
export function useProblemsOf(blockId: string): readonly ShownProblem[] {
  const marks = useContext(MarksContext)
  return useSyncExternalStore(marks.subscribe, () => marks.of(blockId))
}

interface CheckProviderProps {
  readonly variant: 'reply' | 'internal' | undefined
  /** Changes after each save: the service checks what it has. */
  readonly savedVersion: string | undefined
  readonly children: ReactNode
}

export function CheckProvider({ variant, savedVersion, children }: CheckProviderProps) {
  const { store } = useEditor()
  const { drawing, drawnTree: tree, signatureId, isPainted } = useShownPreview()
  const { data } = useQuery({
    queryKey: ['signatures', 'check', signatureId, variant ?? 'primary', savedVersion],
    queryFn: () => api.signatures.check(signatureId ?? '', variant ? { variant } : {}),
    placeholderData: keepPreviousData,
    enabled: isPainted && signatureId !== undefined,
  })
  const [mended, setMended] = useState<{ readonly of: unknown; readonly keys: readonly string[] }>()
  const value = useMemo((): CheckData => {
    const isBanner = store.kind === 'campaign'
    const problems = [
      ...(data ? checkedProblems(tree, data) : []),
      ...drawnProblems(tree, drawing?.warnings ?? [], isBanner),
    ]
    const keys = mended?.of === data ? (mended?.keys ?? []) : []
    return {
      isKnown: isBanner ? drawing !== undefined : data !== undefined,
      problems,
      // A block without open problems loses its mark at once.
      byBlock: problemsByBlock(problems.filter(({ key }) => !keys.includes(key))),
      isMended: ({ key }) => keys.includes(key),
      // What the renderer finds is drawn again at once.
      markMended: ({ key }) => key.startsWith('drawn ') || setMended({ of: data, keys: [...keys, key] }),
    }
  }, [store, tree, data, drawing, mended])
  const [marks] = useState(() => new BlockProblems())
  useLayoutEffect(() => marks.set(value.byBlock), [marks, value.byBlock])
  return (
    <CheckContext value={value}>
      <MarksContext value={marks}>{children}</MarksContext>
    </CheckContext>
  )
}
