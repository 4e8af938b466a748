import type { Asset } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { PictureField } from '#records/assets/picker/picture-field.tsx'
import { TextField } from '#ui/field.tsx'
import type { BannerDraft } from './banner-model.ts'

interface BannerFieldsProps {
  readonly value: BannerDraft
  readonly onChange: (draft: BannerDraft, asset?: Asset) => void
}

/** Picture, link and description of a banner. */
export function BannerFields({ value, onChange }: BannerFieldsProps) {
  const t = useTranslations('campaigns.banner')
  return (
    <div className="grid gap-4">
      <PictureField
        label={t('picture')}
        hint={t('pictureHint')}
        role="banner"
        value={value.assetId}
        onChange={asset => onChange({ ...value, assetId: asset.id }, asset)}
      />
      <TextField
        label={t('link')}
        hint={t('linkHint')}
        placeholder="https://"
        inputMode="url"
        maxLength={2_000}
        value={value.href}
        onChange={href => onChange({ ...value, href })}
      />
      <TextField
        label={t('alt')}
        hint={t('altHint')}
        maxLength={500}
        value={value.alt}
        onChange={alt => onChange({ ...value, alt })}
      />
    </div>
  )
}
