// The other kinds of mail beside the one that is edited, each drawn for the same person in the same view.
import type { Content } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Badge, Skeleton } from '#ui/layout/page.tsx'
import { useShownPreview } from '../rendering/preview-state.tsx'
import { SignatureView } from '../rendering/signature-view.tsx'
import { useRendering } from '../rendering/use-rendering.ts'
import type { MailKind } from '../saving/targets.ts'
import type { KindContents } from './kind-contents.ts'
import { VariantOffer } from './variant-offer.tsx'

interface OtherKindsProps {
  readonly signatureId: string
  readonly kinds: readonly MailKind[]
  readonly contents: KindContents
  readonly onEdit: (kind: MailKind) => void
}

export default function OtherKinds({ signatureId, kinds, contents, onEdit }: OtherKindsProps) {
  const t = useTranslations('editor')
  const { mode } = useShownPreview()
  return kinds.map(each => {
    const { content, isHidden, hasCampaigns } = contents.byKind[each]
    return (
      <section key={each} aria-label={t(`mail.${each}`)} className="min-w-0">
        <div className="mb-2 flex min-h-7 items-center gap-2">
          <h2 className="text-[0.8125rem] font-semibold">{t(`mail.${each}`)}</h2>
          {isHidden && <Badge variant="warn">{t('kinds.hidden')}</Badge>}
          {content && (
            <Button isSmall variant="quiet" className="ms-auto" onPress={() => onEdit(each)}>
              {t('kinds.edit')}
            </Button>
          )}
        </div>
        {content ? (
          <div className="relative">
            <OtherDrawing content={content} signatureId={signatureId} hasCampaigns={hasCampaigns} />
            {mode === 'edit' && <EditArea onPress={() => onEdit(each)} />}
          </div>
        ) : (
          <div className="rounded-xl border border-dashed border-edge/50 p-5">
            {each !== 'new' && (
              <VariantOffer
                signatureId={signatureId}
                kind={each}
                main={contents.byKind.new.content}
                isHidden={isHidden}
                isSupported={contents.isSupported}
                onMade={() => onEdit(each)}
                level="h3"
              />
            )}
          </div>
        )}
      </section>
    )
  })
}

/** Above the drawing, whose frame keeps all clicks to itself. */
const EditArea = ({ onPress }: { readonly onPress: () => void }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the button above the drawing does the same by keyboard
  // biome-ignore lint/a11y/useKeyWithClickEvents: the same
  <div
    data-edit-area=""
    className="absolute inset-0 mx-auto max-w-2xl cursor-pointer rounded-xl ring-accent hover:ring-2"
    onClick={onPress}
  />
)

interface OtherDrawingProps {
  readonly content: Content
  readonly signatureId: string
  readonly hasCampaigns: boolean
}

function OtherDrawing({ content, signatureId, hasCampaigns }: OtherDrawingProps) {
  const { mode, person, campaign } = useShownPreview()
  const drawing = useRendering(content, {
    person,
    campaign: hasCampaigns || campaign !== 'running' ? campaign : 'none',
    signatureId,
  })
  if (!drawing) return <Skeleton lines={4} />
  return <SignatureView drawing={drawing} mode={mode === 'edit' ? 'desktop' : mode} />
}
