// Draws what is sent while it is edited, for the views, the size and the problems.
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { useEditorState } from '../editor-context.ts'
import { useRendering } from '../surroundings/use-rendering.ts'
import { PreviewContext, type PreviewState } from './preview-state.ts'

interface LivePreviewProps {
  readonly state: PreviewState
  readonly signatureId: string | undefined
  /** False: the variant is sent without campaigns. */
  readonly hasCampaigns: boolean
  readonly children: ReactNode
}

export function LivePreview({ state, signatureId, hasCampaigns, children }: LivePreviewProps) {
  const { tree } = useEditorState()
  // The canvas comes first: a key that is pressed is on it within one frame.
  const shownTree = useDeferredValue(tree)
  const campaign = hasCampaigns || state.campaign !== 'running' ? state.campaign : 'none'
  const drawing = useRendering(shownTree, { person: state.person, campaign, signatureId })
  const value = useMemo(
    () => ({ ...state, campaign, signatureId, drawing }),
    [state, campaign, signatureId, drawing],
  )
  return <PreviewContext value={value}>{children}</PreviewContext>
}
