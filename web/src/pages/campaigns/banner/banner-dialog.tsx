import type { Asset, Content, MarketingCampaign } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { campaignPath, refreshCampaigns } from '#records/campaigns/campaign-data.ts'
import { searchOf } from '#state/search-of.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { useCampaignEdit } from '../use-campaign.ts'
import { BannerFields } from './banner-fields.tsx'
import { bannerOf, contentOfBanner, emptyBanner } from './banner-model.ts'

/** `only`: the banner of a campaign without variants. */
export type EditedBanner = 'only' | MarketingCampaign['variants'][number]

interface BannerDialogProps {
  readonly campaign: MarketingCampaign
  readonly edited: EditedBanner
  readonly onClose: () => void
}

export default function BannerDialog({ campaign, edited, onClose }: BannerDialogProps) {
  const t = useTranslations('campaigns')
  const { content, name } = edited === 'only' ? { content: campaign.content, name: undefined } : edited
  const edit = useCampaignEdit(campaign, { onDiscard: onClose })
  const save = (changed: Content | null, newName: string) =>
    edit(
      edited === 'only'
        ? { content: changed }
        : {
            variants: campaign.variants.map(each =>
              each.id === edited.id ? { ...each, name: newName, content: changed } : each,
            ),
          },
    )
  const stored = bannerOf(content)
  const [draft, setDraft] = useState(stored ?? emptyBanner)
  const [asset, setAsset] = useState<Asset>()
  return (
    <FormDialog
      title={name === undefined ? t('banner.editOnly') : t('banner.editTitle', { name })}
      onClose={onClose}
      isModalOnly
      onSubmit={form => save(contentOfBanner(draft, asset, content), String(form.get('name') ?? '').trim())}
      onDone={() => {
        toast(t('saved'))
        onClose()
        void refreshCampaigns()
      }}
      action={t('save')}
      isDisabled={stored === undefined && draft.assetId === null}
    >
      {stored === undefined && <Notice kind="warn">{t('banner.complex')}</Notice>}
      {name !== undefined && (
        <TextField
          label={t('banner.variantName')}
          name="name"
          defaultValue={name}
          isRequired
          maxLength={200}
        />
      )}
      {content === null && (
        <LinkButton
          isSmall
          icon="pen-line"
          className="justify-self-start"
          to={`${campaignPath(campaign.id)}/edit`}
          search={searchOf(edited === 'only' ? {} : { variant: edited.id })}
          onClick={onClose}
        >
          {t('banner.design')}
        </LinkButton>
      )}
      <BannerFields
        value={draft}
        onChange={(changed, chosen) => {
          setDraft(changed)
          if (chosen) setAsset(chosen)
        }}
      />
    </FormDialog>
  )
}
