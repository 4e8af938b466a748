// The canvas alone, or with the other kinds of mail: beside it where there is room, else below it.
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/page.tsx'
import { useShownPreview } from '../preview/preview-state.ts'

interface KindsLayoutProps {
  readonly beside: ReactNode
  readonly children: ReactNode
}

export function KindsLayout({ beside, children }: KindsLayoutProps) {
  const t = useTranslations('editor.kinds')
  const { isBeside } = useShownPreview()
  const isShown = isBeside && beside !== undefined
  // The canvas stays the same element: what is edited goes on.
  return (
    <div className={isShown ? '@container' : undefined}>
      <div className={isShown ? 'grid gap-6 @[50rem]:grid-cols-2' : undefined}>
        <div className="min-w-0">
          {isShown && (
            <div className="mb-2 flex min-h-7 items-center gap-2">
              <Badge look="accent">{t('editing')}</Badge>
            </div>
          )}
          {children}
        </div>
        {isShown && <div className="grid min-w-0 content-start gap-6">{beside}</div>}
      </div>
    </div>
  )
}
