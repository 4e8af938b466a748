import { useTranslations } from 'use-intl'
import { TextField } from '#ui/field.tsx'
import { Card } from '#ui/page.tsx'
import type { BrandPartProps } from './parts.ts'
import { SocialLinks } from './social-links.tsx'

export function CompanyDataCard(props: BrandPartProps) {
  const { draft, change, isReadOnly } = props
  const t = useTranslations('settings.brand')
  const orNull = (text: string) => (text === '' ? null : text)
  return (
    <Card title={t('company')} about={t('companyAbout')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('website')}
          name="website"
          type="url"
          placeholder="https://www.example.com"
          value={draft.website ?? ''}
          onChange={text => change({ website: orNull(text) })}
          maxLength={500}
          isReadOnly={isReadOnly}
        />
        <TextField
          label={t('address')}
          name="address"
          value={draft.address ?? ''}
          onChange={text => change({ address: orNull(text) })}
          maxLength={5000}
          isReadOnly={isReadOnly}
        />
        <SocialLinks {...props} />
        <TextField
          label={t('legal')}
          name="legal"
          hint={t('legalHint')}
          rows={4}
          value={draft.legal ?? ''}
          onChange={text => change({ legal: orNull(text) })}
          maxLength={5000}
          isReadOnly={isReadOnly}
          className="sm:col-span-2"
        />
      </div>
    </Card>
  )
}
