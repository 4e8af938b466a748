// The banner of a campaign, or the banners that are compared.
import type { MarketingCampaign, MarketingCampaignPreview } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCampaignAction } from '#records/campaigns/campaign-data.ts'
import { searchOf } from '#state/search-of.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Card, LoadError, Notice } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import type { EditedBanner } from '../banner/banner-dialog.tsx'
import { equalShares } from '../banner/shares.ts'
import { useCampaignEdit } from '../use-campaign.ts'
import type { CampaignCardProps } from './audience-card.tsx'
import { SharesForm } from './shares-form.tsx'

const BannerDialog = onDemand(() => import('../banner/banner-dialog.tsx'))

interface BannerViewProps {
  readonly name: string
  readonly preview: Pick<MarketingCampaignPreview, 'html' | 'warnings'> | undefined
}

/** A banner as it is sent, and what is wrong with it. */
function BannerView({ name, preview }: BannerViewProps) {
  const t = useTranslations('campaigns.banner')
  if (!preview)
    return (
      <div className="rounded-xl border border-dashed border-edge/50 px-4 py-8 text-center text-muted">
        {t('none')}
      </div>
    )
  // Whether mail can be sent is said with the audience, in the language of the person.
  const warnings = preview.warnings.filter(({ code }) => code !== 'mail_unavailable')
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-xl border border-line bg-white p-3">
        <SignatureFrame html={preview.html} title={t('preview', { name })} />
      </div>
      {warnings.map(({ code, message }) => (
        <Notice key={`${code}-${message}`} kind="warn">
          {code === 'missing_alt' ? t('missingAlt') : message}
        </Notice>
      ))}
    </div>
  )
}

type Variant = MarketingCampaign['variants'][number]

const maxVariants = 10

/** The next letter that no banner has as its name: A, B, C … */
const nextName = (variants: readonly Variant[]): string =>
  ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'].find(
    letter => !variants.some(({ name }) => name === letter),
  ) ?? 'K'

export function BannersCard({ campaign, isEditable }: CampaignCardProps) {
  const { id, content, variants, updated_at } = campaign
  const t = useTranslations('campaigns.banner')
  const [edited, setEdited] = useState<EditedBanner>()
  const [removed, setRemoved] = useState<Variant>()
  const { data, error, refetch } = useQuery({
    queryKey: ['campaigns', 'preview', id, updated_at],
    queryFn: () => api.marketingCampaigns.preview(id),
    placeholderData: (before: MarketingCampaignPreview | undefined) => before,
  })
  const save = useCampaignEdit(campaign, { isDirty: false })
  const addVariant = useCampaignAction({
    run: () => {
      const stored: readonly Omit<Variant, 'id'>[] =
        variants.length > 0 ? variants : [{ name: 'A', content, weight: 1 }]
      const all = [
        ...stored,
        { name: variants.length > 0 ? nextName(variants) : 'B', content: null, weight: 1 },
      ]
      const shares = equalShares(all.length)
      return save({ variants: all.map((variant, index) => ({ ...variant, weight: shares[index] ?? 0 })) })
    },
    done: () => t('added'),
    after: saved => setEdited(saved.variants.at(-1)),
  })
  return (
    <Card
      title={t('title')}
      about={t('about')}
      actions={
        isEditable &&
        variants.length === 0 && (
          <>
            <LinkButton isSmall variant="quiet" to={`/campaigns/${id}/edit`}>
              {content === null ? t('design') : t('openEditor')}
            </LinkButton>
            <Button isSmall icon="pen-line" onPress={() => setEdited('only')}>
              {content === null ? t('add') : t('edit')}
            </Button>
          </>
        )
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {variants.length === 0 ? (
        <BannerView name={campaign.name} preview={content === null ? undefined : data} />
      ) : (
        <ul className="grid gap-5">
          {variants.map(variant => (
            <li key={variant.id}>
              <div className="mb-2 flex flex-wrap items-center gap-2">
                <h3 className="me-auto font-medium">{variant.name}</h3>
                {isEditable && (
                  <>
                    <LinkButton
                      isSmall
                      variant="quiet"
                      to={`/campaigns/${id}/edit`}
                      search={searchOf({ variant: variant.id })}
                      aria-label={t('openEditorOf', { name: variant.name })}
                    >
                      {t('openEditor')}
                    </LinkButton>
                    <Button
                      isSmall
                      onPress={() => setEdited(variant)}
                      aria-label={t('editTitle', { name: variant.name })}
                    >
                      {t('edit')}
                    </Button>
                    <Button
                      isSmall
                      variant="quiet"
                      icon="trash-2"
                      onPress={() => setRemoved(variant)}
                      aria-label={t('remove', { name: variant.name })}
                    />
                  </>
                )}
              </div>
              <BannerView
                name={variant.name}
                preview={
                  variant.content === null ? undefined : data?.variants.find(each => each.id === variant.id)
                }
              />
            </li>
          ))}
        </ul>
      )}
      {variants.length > 0 && <SharesForm campaign={campaign} isEditable={isEditable} />}
      {isEditable && variants.length < maxVariants && (variants.length > 0 || content !== null) && (
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <Button isSmall icon="plus" isPending={addVariant.isPending} onPress={() => addVariant.mutate()}>
            {variants.length === 0 ? t('compare') : t('addVariant')}
          </Button>
          {variants.length === 0 && (
            <p className="min-w-0 flex-1 basis-56 text-[0.8125rem] text-muted">{t('compareHint')}</p>
          )}
        </div>
      )}
      {edited !== undefined && (
        <BannerDialog campaign={campaign} edited={edited} onClose={() => setEdited(undefined)} />
      )}
      {removed && (
        <RemoveVariant campaign={campaign} removed={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Card>
  )
}

interface RemoveVariantProps extends Pick<CampaignCardProps, 'campaign'> {
  readonly removed: Variant
  readonly onClose: () => void
}

/** The last but one that is removed leaves the only banner. */
function RemoveVariant({ campaign, removed, onClose }: RemoveVariantProps) {
  const t = useTranslations('campaigns.banner')
  const { variants } = campaign
  const save = useCampaignEdit(campaign)
  const remove = useCampaignAction({
    run: () => {
      const left = variants.filter(({ id }) => id !== removed.id)
      if (left.length <= 1) return save({ variants: [], content: left[0]?.content ?? null })
      const isShown = left.some(({ weight }) => weight > 0)
      return save({ variants: left.map(each => (isShown ? each : { ...each, weight: 1 })) })
    },
    done: () => t('removed', { name: removed.name }),
    after: onClose,
  })
  return (
    <ConfirmDialog
      title={t('removeTitle', { name: removed.name })}
      action={t('removeAction')}
      onClose={onClose}
      mutation={remove}
    >
      {t('removeText')}
    </ConfirmDialog>
  )
}
