// The canvas alone, or with the other kinds of mail: beside it where there is room, else below it.
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/page.tsx'
import { useShownPreview } from '../preview/preview-state.ts'

export interface BesideKinds {
  /** The kind of mail that is edited. */
  readonly title: string
  readonly others: ReactNode
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
  // The canvas stays the same element: what is edited goes on.
  return (
    <div className={shown ? '@container' : undefined}>
      <div className={shown ? 'grid gap-x-6 @[40rem]:grid-cols-2 @[40rem]:grid-rows-[auto_1fr]' : undefined}>
        <div className="min-w-0">
          {shown && (
            <div className="mb-2 flex min-h-7 items-center gap-2">
              <h2 className="text-[0.8125rem] font-semibold">{shown.title}</h2>
              <Badge look="accent">{t('editing')}</Badge>
            </div>
          )}
          {children}
        </div>
        {shown && (
          <div className="grid min-w-0 content-start gap-6 @max-[40rem]:mt-6 @[40rem]:row-span-2">
            {shown.others}
          </div>
        )}
        <div className="min-w-0">{below}</div>
      </div>
    </div>
  )
}
