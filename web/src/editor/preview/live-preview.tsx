// Draws what is sent while it is edited, for the views, the size and the problems.
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { useEditorState } from '../editor-context.ts'
import { useRendering } from '../surroundings/use-rendering.ts'
import { useSettled } from '../surroundings/use-settled.ts'
import { PreviewContext, type PreviewState } from './preview-state.ts'

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
