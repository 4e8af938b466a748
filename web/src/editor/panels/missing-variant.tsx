// The page of a kind of mail that has no signature of its own yet, in the place of the editor.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Icon } from '#ui/base/icon.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import type { PreviewState } from '../rendering/preview-state.tsx'
import { SignatureView } from '../rendering/signature-view.tsx'
import { useRendering } from '../rendering/use-rendering.ts'
import { emptyContent, type KindContents, type VariantKind } from './kind-contents.ts'
import { VariantOffer } from './variant-offer.tsx'

interface MissingVariantProps {
  readonly signatureId: string
  readonly kind: VariantKind
  readonly contents: KindContents
  readonly preview: PreviewState
  readonly backTo: string
  readonly onMade: () => void
  /** The choice of the kind of mail. */
  readonly children: ReactNode
}

const nothing = emptyContent()

export default function MissingVariant(props: MissingVariantProps) {
  const { signatureId, kind, contents, preview, backTo, onMade, children } = props
  const t = useTranslations('editor')
  const main = contents.byKind.new.content
  const { isHidden } = contents.byKind[kind]
  const drawing = useRendering(main ?? nothing, {
    person: preview.person,
    campaign: preview.campaign,
    signatureId,
  })
  return (
    <div className="fixed inset-0 z-30 flex min-h-0 flex-col overflow-y-auto bg-sunken">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-card px-4 py-2.5">
        <Link
          to={backTo}
          aria-label={t('back', { kind: 'signature' })}
          className="grid size-8 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
        >
          <Icon name="chevron-left" className="rtl:rotate-180" />
        </Link>
        <h1 className="min-w-0 truncate font-semibold">{contents.name}</h1>
        <div className="ms-auto">{children}</div>
      </header>
      <div className="mx-auto grid w-full max-w-2xl gap-4 p-6">
        <section className="rounded-2xl border border-line bg-card p-6">
          <VariantOffer
            signatureId={signatureId}
            kind={kind}
            main={main}
            isHidden={isHidden}
            isSupported={contents.isSupported}
            onMade={onMade}
            level="h2"
          />
        </section>
        {!isHidden && (
          <section aria-labelledby="sent-now" className="grid gap-2">
            <h2 id="sent-now" className="text-[0.8125rem] font-semibold">
              {t('kinds.sentNow')}
            </h2>
            {drawing ? <SignatureView drawing={drawing} mode="desktop" /> : <Skeleton lines={4} />}
          </section>
        )}
      </div>
    </div>
  )
}
