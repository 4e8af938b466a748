import type { Brand, BrandPatch } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { useResource } from '#state/use-resource.ts'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { BrandPreview } from './brand/brand-preview.tsx'
import { CompanyDataCard } from './brand/company-data-card.tsx'
import { LogoCard } from './brand/logo-card.tsx'
import { StyleCard } from './brand/style-card.tsx'
import { SettingsFrame } from './settings-frame.tsx'

function BrandForm() {
  const t = useTranslations('settings.brand')
  const can = useCan()
  const isReadOnly = !can('workspace:write')
  const resource = useResource({
    // Not ['brand'] alone, under which other pages keep the brand without its version.
    queryKey: ['brand', 'versioned'],
    read: () => api.brand.get(),
    save: (patch: BrandPatch, options) => api.brand.update(patch, options),
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: ['brand'], exact: true })
      void queryClient.invalidateQueries({ queryKey: ['templates'] })
    },
    valuesOf: (brand: Brand) => brand,
    toPatch: changes => changes as BrandPatch,
    labelOf: key => t(`fields.${key as 'website'}`),
    textOf: value => {
      if (Array.isArray(value)) return value.map(({ href }) => href).join(', ') || t('nothing')
      if (typeof value === 'object' && value !== null) return Object.values(value).filter(Boolean).join(', ')
      return value === null || value === '' ? t('nothing') : String(value)
    },
  })
  const parts = { draft: resource.draft, change: resource.change, isReadOnly }
  return (
    <ResourceForm resource={resource}>
      {isReadOnly && <Notice>{t('readOnly')}</Notice>}
      {can('signatures:read') && <BrandPreview draft={resource.draft} />}
      <LogoCard {...parts} />
      <StyleCard {...parts} />
      <CompanyDataCard {...parts} />
    </ResourceForm>
  )
}

export default function BrandSettingsPage() {
  return (
    <SettingsFrame section="brand">
      <BrandForm />
    </SettingsFrame>
  )
}
