import type { Brand, BrandPatch } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient, readAgain } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { examplePersonQuery } from '#records/signatures/example-person.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { useResource } from '#state/use-resource.ts'
import { Switch } from '#ui/form/choice.tsx'
import { ColorField } from '#ui/form/color-field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card, Notice, Skeleton } from '#ui/layout/page.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { CompanyDataCard } from './brand/company-data-card.tsx'
import { LogoCard } from './brand/logo-card.tsx'
import type { BrandPartProps } from './brand/parts.ts'
import { SettingsFrame } from './settings-frame.tsx'

type TemplateId = Parameters<typeof api.templates.get>[0]

/** Templates in which logo, colours, address and icons can all be seen. */
const templates = [
  'corporate-accent-bar',
  'corporate-letterhead',
  'corporate-executive',
  'corporate-classic',
] as const

const patchOf = ({ updated_at: _, social, ...rest }: Brand): BrandPatch => ({
  ...rest,
  // A row without an address is not finished yet.
  social: social.filter(({ href }) => href.trim() !== ''),
})

/** The value after it has not changed for a moment: a key press sends no request. */
function useSettled<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as Value), milliseconds)
    return () => clearTimeout(timer)
  }, [key, milliseconds])
  return settled
}

/** A template with the brand of the form, before it is saved. */
function BrandPreview({ draft }: { readonly draft: Brand }) {
  const t = useTranslations('settings.brand')
  const messageOf = useMessageOf()
  const [template, setTemplate] = useState<TemplateId>(templates[0])
  const [isDark, setDark] = useState(false)
  const patch = useSettled(patchOf(draft))
  const person = useQuery({ ...examplePersonQuery, enabled: useCan()('teammates:read') })
  const emailId = person.data?.emailId
  const { data, error } = useQuery({
    queryKey: ['templates', template, 'filled', patch, emailId],
    queryFn: async ({ signal }) => {
      const { content } = await api.templates.fill(template, patch, { signal })
      return api.content.preview(
        { content, campaign: 'none', ...(emailId && { email_id: emailId }) },
        { signal },
      )
    },
    enabled: !person.isLoading,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <Card title={t('preview')} about={t('previewAbout')}>
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Select
            label={t('template')}
            isLabelHidden
            value={template as string}
            onChange={id => setTemplate(id as TemplateId)}
            options={templates.map(id => ({ id: id as string, label: t(`templates.${id}`) }))}
            className="min-w-44"
          />
          <Switch label={t('dark')} isSelected={isDark} onChange={setDark} />
        </div>
        {error && <Notice kind="warn">{messageOf(error)}</Notice>}
        <div
          className="rounded-xl border border-line p-4"
          style={{ background: isDark ? '#1b1b1b' : '#ffffff' }}
        >
          {data ? (
            <SignatureFrame html={data.html} title={t('preview')} width={520} isDark={isDark} />
          ) : (
            <Skeleton lines={5} />
          )}
        </div>
      </div>
    </Card>
  )
}

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
      void readAgain('templates')
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
