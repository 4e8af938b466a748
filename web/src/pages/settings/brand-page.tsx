import type { Brand, BrandPatch } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { useResource } from '#state/use-resource.ts'
import { ColorField } from '#ui/form/color-field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { BrandPreview } from './brand/brand-preview.tsx'
import { CompanyDataCard } from './brand/company-data-card.tsx'
import { LogoCard } from './brand/logo-card.tsx'
import type { BrandPartProps } from './brand/parts.ts'
import { SettingsFrame } from './settings-frame.tsx'

const colorNames = ['primary', 'text', 'muted', 'link'] as const
const fallbacks = { primary: '#2f5aa8', text: '#222222', muted: '#6b6b6b', link: '#2f5aa8' } as const

type Font = NonNullable<Brand['font_family']>

/** Fonts that mail clients have, so they look the same everywhere. */
const fonts: readonly Font[] = [
  'Arial',
  'Calibri',
  'Courier New',
  'Garamond',
  'Georgia',
  'Helvetica',
  'Lucida Sans',
  'Palatino',
  'Segoe UI',
  'Tahoma',
  'Times New Roman',
  'Trebuchet MS',
  'Verdana',
]

function StyleCard({ draft, change, isReadOnly }: BrandPartProps) {
  const t = useTranslations('settings.brand')
  return (
    <Card title={t('look')} about={t('lookAbout')}>
      <div className="grid gap-5 sm:grid-cols-2">
        {colorNames.map(name => (
          <ColorField
            key={name}
            label={t(`colors.${name}`)}
            name={`colors.${name}`}
            hint={t(`colorHints.${name}`)}
            value={draft.colors[name]}
            onChange={value => change({ colors: { ...draft.colors, [name]: value } })}
            fallback={fallbacks[name]}
            isReadOnly={isReadOnly}
          />
        ))}
        <Select
          label={t('font')}
          hint={t('fontHint')}
          value={draft.font_family ?? 'default'}
          onChange={id => change({ font_family: id === 'default' ? null : (id as Font) })}
          isDisabled={isReadOnly}
          options={[
            { id: 'default', label: t('defaultFont') },
            ...fonts.map(font => ({ id: font as string, label: font })),
          ]}
        />
      </div>
    </Card>
  )
}

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
