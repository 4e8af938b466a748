import type { Asset } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { PictureDialog } from '#records/assets/picker/picture-dialog.tsx'
import type { ImageRole } from '#records/assets/roles.ts'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import type { BannerDraft } from './banner-model.ts'

interface PictureFieldProps {
  readonly label: string
  readonly hint: string
  readonly value: string | null
  readonly role: ImageRole
  readonly onChange: (asset: Asset) => void
}

/** A picture of a form: what is chosen, and the button that opens the dialog. */
function PictureField({ label, hint, value, role, onChange }: PictureFieldProps) {
  const t = useTranslations('assets.picker')
  const [isOpen, setOpen] = useState(false)
  const { data: asset } = useQuery({
    queryKey: ['assets', value],
    queryFn: () => api.assets.get(value as string),
    enabled: value !== null,
  })
  return (
    <div role="group" aria-label={label} className="grid gap-2">
      <p className="text-[0.8125rem] font-medium">{label}</p>
      {value !== null && asset && (
        <div className="checkered grid place-items-center overflow-hidden rounded-xl border border-line p-2">
          <img src={asset.url} alt={asset.name} className="max-h-32 max-w-full object-contain" />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button icon="image" onPress={() => setOpen(true)}>
          {value === null ? t('title') : t('change')}
        </Button>
        {value === null && <p className="min-w-48 flex-1 text-[0.8125rem] text-muted">{hint}</p>}
      </div>
      {isOpen && (
        <PictureDialog
          role={role}
          onChoose={chosen => {
            setOpen(false)
            onChange(chosen)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

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
