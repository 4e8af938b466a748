// The canvas alone, or with the other kinds of mail: beside it where there is room, else below it.
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '#ui/layout/page.tsx'
import { useShownPreview } from '../preview/preview-state.ts'

export interface BesideKinds {
  /** The kind of mail that is edited. */
  readonly title: string
  /** The kinds before it and after it: each keeps its place when another one is edited. */
  readonly before: ReactNode
  readonly after: ReactNode
}

interface KindsLayoutProps {
  readonly beside: BesideKinds | undefined
  /** What belongs to the canvas and comes after it. */
  readonly below: ReactNode
  readonly children: ReactNode
}

export function KindsLayout({ beside, below, children }: KindsLayoutProps) {
  const t = useTranslations('editor.kinds')
  const { isBeside } = useShownPreview()
  const shown = isBeside ? beside : undefined
  const canvas = useRef<HTMLDivElement>(null)
  // Another kind of mail was chosen, perhaps far down the pane, whose place begins at its top again.
  useEffect(() => {
    if (isBeside) canvas.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // The canvas stays the same element: what is edited goes on.
  return (
    <div className={shown ? '@container' : undefined}>
      <div className={shown ? 'grid gap-6 @[40rem]:grid-cols-2' : undefined}>
        {shown?.before}
        <div key="canvas" ref={canvas} className="min-w-0">
          {shown && (
            <div className="mb-2 flex min-h-7 items-center gap-2">
              <h2 className="text-[0.8125rem] font-semibold">{shown.title}</h2>
              <Badge variant="accent">{t('editing')}</Badge>
            </div>
          )}
          {children}
        </div>
        {shown?.after}
        <div key="below" className="col-span-full min-w-0">
          {below}
        </div>
      </div>
    </div>
  )
}
