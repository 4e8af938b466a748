// What the editor shows: whose values, in which view, with which campaign. It stays when another kind of mail is edited.
import type { Content } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo, useState } from 'react'
import { examplePersonQuery, type PickedAddress } from '#records/signatures/example-person.ts'
import type { CampaignChoice } from '../surroundings/banners.ts'
import type { Drawing } from '../surroundings/draw.ts'
import type { PersonChoice } from '../surroundings/person.ts'

export const previewModes = ['edit', 'desktop', 'phone', 'dark', 'blocked', 'text'] as const
export type PreviewMode = (typeof previewModes)[number]

/** An address, or sample values. */
export type ShownPerson = PickedAddress | 'placeholder' | 'longest'

export interface PreviewState {
  /** False until it is known whose values are shown at first. */
  readonly isKnown: boolean
  /** Whether the canvas was painted once: what can wait begins then. */
  readonly isPainted: boolean
  readonly setPainted: (isPainted: boolean) => void
  readonly mode: PreviewMode
  readonly setMode: (mode: PreviewMode) => void
  readonly shown: ShownPerson
  readonly setShown: (shown: ShownPerson) => void
  /** The same person as the renderer needs it. */
  readonly person: PersonChoice
  readonly campaign: CampaignChoice
  readonly setCampaign: (campaign: CampaignChoice) => void
  /** Whether the other kinds of mail are shown too. */
  readonly isBeside: boolean
  readonly setBeside: (isBeside: boolean) => void
}

export function usePreviewState(kind: 'signature' | 'campaign'): PreviewState {
  const { data: example, isPending } = useQuery(examplePersonQuery)
  const [isPainted, setPainted] = useState(false)
  const [mode, setMode] = useState<PreviewMode>('edit')
  const [chosen, setShown] = useState<ShownPerson>()
  const [campaign, setCampaign] = useState<CampaignChoice>(kind === 'campaign' ? 'none' : 'running')
  const [isBeside, setBeside] = useState(false)
  const shown = chosen ?? example ?? 'placeholder'
  const emailId = typeof shown === 'string' ? undefined : shown.emailId
  const isKnown = chosen !== undefined || !isPending
  return useMemo(() => {
    const person = emailId === undefined ? (shown as 'placeholder' | 'longest') : { emailId }
    return {
      ...{ isKnown, isPainted, setPainted, mode, setMode, shown, setShown, person },
      ...{ campaign, setCampaign, isBeside, setBeside },
    }
  }, [isKnown, isPainted, mode, shown, emailId, campaign, isBeside])
}

export interface ShownPreview extends PreviewState {
  /** The signature whose campaigns and check are meant; undefined for a banner. */
  readonly signatureId: string | undefined
  /** What is sent, without marks and placeholders; undefined until it is known. */
  readonly drawing: Drawing | undefined
  /** The content of the drawing. It follows the canvas after a pause in the typing. */
  readonly drawnTree: Content
}

export const PreviewContext = createContext<ShownPreview | undefined>(undefined)

export function useShownPreview(): ShownPreview {
  const preview = useContext(PreviewContext)
  if (!preview) throw new Error('outside a preview')
  return preview
}
