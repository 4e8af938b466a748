import type { Brand, BrandPatch } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { useDraft } from '#state/use-draft.ts'
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
    read: options => api.brand.get(options),
    save: (patch: BrandPatch, options) => api.brand.update(patch, options),
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: ['brand'], exact: true })
      void queryClient.invalidateQueries({ queryKey: ['templates'] })
    },
  })
  const draft = useDraft<Brand>(resource.stored)
  const textOf = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(({ href }) => href).join(', ') || t('nothing')
    if (typeof value === 'object' && value !== null) return Object.values(value).filter(Boolean).join(', ')
    return value === null || value === '' ? t('nothing') : String(value)
  }
  const parts = { draft: draft.draft, change: draft.change, isReadOnly }
  return (
    <ResourceForm
      resource={resource}
      draft={draft}
      toPatch={changes => changes as BrandPatch}
      labelOf={key => t(`fields.${key as 'website'}`)}
      textOf={textOf}
    >
      {isReadOnly && <Notice>{t('readOnly')}</Notice>}
      {can('signatures:read') && <BrandPreview draft={draft.draft} />}
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
