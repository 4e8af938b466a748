import type { Brand } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { ColorField } from '#ui/form/color-field.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card } from '#ui/layout/page.tsx'
import type { BrandPartProps } from './parts.ts'

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

export function StyleCard({ draft, change, isReadOnly }: BrandPartProps) {
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
