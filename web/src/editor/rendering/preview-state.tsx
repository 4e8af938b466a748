// What the editor shows: whose values, in which view, with which campaign. It stays when another kind of mail is edited.
import type { Content } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { examplePersonQuery, type PickedAddress } from '#records/signatures/example-person.ts'
import { useEditorState } from '../kit/editor-context.ts'
import type { CampaignChoice } from './banners.ts'
import type { Drawing } from './draw.ts'
import { useRendering } from './use-rendering.ts'
import type { PersonChoice } from './workspace-queries.ts'

export const previewModes = ['edit', 'desktop', 'phone', 'dark', 'blocked', 'text'] as const
export type PreviewMode = (typeof previewModes)[number]

/** An address, or sample values. */
export type ShownPerson = PickedAddress | 'placeholder' | 'longest'

export interface PreviewState {
  /** False until it is known whose values are shown at first. */
  readonly isKnown: boolean
  /** True once the canvas was painted: what can wait begins then. */
  readonly isPainted: boolean
  readonly setPainted: (isPainted: boolean) => void
  readonly mode: PreviewMode
  readonly setMode: (mode: PreviewMode) => void
  readonly shownPerson: ShownPerson
  readonly setShownPerson: (person: ShownPerson) => void
  /** The same person as the renderer needs it. */
  readonly person: PersonChoice
  readonly campaign: CampaignChoice
  readonly setCampaign: (campaign: CampaignChoice) => void
  /** True if the other kinds of mail are shown too. */
  readonly isBeside: boolean
  readonly setBeside: (isBeside: boolean) => void
}

export function usePreviewState(kind: 'signature' | 'campaign'): PreviewState {
  const { data: example, isPending } = useQuery(examplePersonQuery)
  const [isPainted, setPainted] = useState(false)
  const [mode, setMode] = useState<PreviewMode>('edit')
  const [chosen, setShownPerson] = useState<ShownPerson>()
  const [campaign, setCampaign] = useState<CampaignChoice>(kind === 'campaign' ? 'none' : 'running')
  const [isBeside, setBeside] = useState(false)
  const shownPerson = chosen ?? example ?? 'placeholder'
  const emailId = typeof shownPerson === 'string' ? undefined : shownPerson.emailId
  const isKnown = chosen !== undefined || !isPending
  return useMemo(() => {
    const person = emailId === undefined ? (shownPerson as 'placeholder' | 'longest') : { emailId }
    return {
      ...{ isKnown, isPainted, setPainted, mode, setMode, shownPerson, setShownPerson, person },
      ...{ campaign, setCampaign, isBeside, setBeside },
    }
  }, [isKnown, isPainted, mode, shownPerson, emailId, campaign, isBeside])
}

interface ShownPreview extends PreviewState {
  /** The signature whose campaigns and check are meant; undefined for a banner. */
  readonly signatureId: string | undefined
  /** The drawing that is sent, without marks and placeholders; undefined until it is known. */
  readonly drawing: Drawing | undefined
  /** The content of the drawing. It follows the canvas after a pause in the typing. */
  readonly drawnTree: Content
}

const PreviewContext = createContext<ShownPreview | undefined>(undefined)

export function useShownPreview(): ShownPreview {
  const preview = useContext(PreviewContext)
  if (!preview) throw new Error('outside a preview')
  return preview
}

// Draws what is sent while it is edited, for the views, the size and the problems.

const typingPause = 150

interface LivePreviewProps {
  readonly state: PreviewState
  readonly signatureId: string | undefined
  /** False: the variant is sent without campaigns. */
  readonly hasCampaigns: boolean
  readonly children: ReactNode
}

export function LivePreview({ state, signatureId, hasCampaigns, children }: LivePreviewProps) {
  const { tree } = useEditorState()
  // The canvas comes first. While it is shown, size and problems follow after a pause in the typing.
  const settled = useSettled(tree, typingPause)
  const shownTree = useDeferredValue(state.mode === 'edit' ? settled : tree)
  const campaign = hasCampaigns || state.campaign !== 'running' ? state.campaign : 'none'
  const drawing = useRendering(
    shownTree,
    { person: state.person, campaign, signatureId },
    state.isPainted || state.mode !== 'edit',
  )
  const value = useMemo(
    () => ({ ...state, campaign, signatureId, drawing, drawnTree: shownTree }),
    [state, campaign, signatureId, drawing, shownTree],
  )
  return <PreviewContext value={value}>{children}</PreviewContext>
}

/** The value after it has stayed the same for this many milliseconds. */
export function useSettled<Value>(value: Value, pause: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}
