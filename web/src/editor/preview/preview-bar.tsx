// Above the canvas: the view, whose values, which campaign, and what the person lacks.
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '#ui/base/button.tsx'
import { CampaignSelect } from './campaign-select.tsx'
import { MissingChips } from './missing-chips.tsx'
import { PersonChooser } from './person-chooser.tsx'
import { PreviewModes } from './preview-modes.tsx'
import { useShownPreview } from './preview-state.ts'
import { useNextGap } from './use-next-gap.ts'

export function PreviewBar({ children }: { readonly children?: ReactNode }) {
  const t = useTranslations('editor.preview')
  const { mode, setMode } = useShownPreview()
  const { goToNextGap, isSearching } = useNextGap()
  return (
    <div
      role="group"
      aria-label={t('bar')}
      className="grid gap-2 border-b border-line bg-card px-4 py-2 max-md:gap-1.5 max-md:px-2 max-md:py-1.5"
    >
      <div className="flex flex-wrap items-center gap-2">
        <div className="max-md:-order-2">
          <PreviewModes mode={mode} onChange={setMode} />
        </div>
        {/* The second row of a phone. */}
        <span className="h-0 w-full max-md:-order-1 md:hidden" />
        <PersonChooser onNextGap={() => goToNextGap()} />
        <IconButton
          icon="circle-dashed"
          label={t('nextGap')}
          isPending={isSearching}
          onPress={() => goToNextGap()}
        />
        <CampaignSelect />
        <div className="ms-auto flex items-center gap-1 max-md:-order-2">{children}</div>
      </div>
      <MissingChips />
    </div>
  )
}
