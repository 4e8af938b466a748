import { brands, iconLabel, networkOfAddress } from '@signoff/render'
import type { Brand } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { Card } from '#ui/layout/page.tsx'
import type { BrandPartProps } from './parts.ts'

type SocialLink = Brand['social'][number]

/** As many as the API takes. */
const most = 8

function SocialLinks({ draft, change, isReadOnly }: BrandPartProps) {
  const t = useTranslations('settings.brand')
  const shell = useTranslations('shell')
  const { social } = draft
  const set = (index: number, part: Partial<SocialLink>) =>
    change({ social: social.map((link, at) => (at === index ? { ...link, ...part } : link)) })
  const names = [
    ...new Set([...Object.keys(brands), ...social.map(({ name }) => name), 'globe', 'link', 'envelope']),
  ]
  const options = names.map(name => ({ id: name as string, label: iconLabel(name as SocialLink['name']) }))
  return (
    <fieldset className="grid gap-2 sm:col-span-2">
      <legend className="mb-1 text-[0.8125rem] font-medium">{t('social')}</legend>
      {social.map(({ name, href }, index) => (
        <div key={index} className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_auto] items-start gap-2">
          <Select
            label={t('icon', { number: index + 1 })}
            isLabelHidden
            value={name as string}
            onChange={id => set(index, { name: id as SocialLink['name'] })}
            options={options}
            isDisabled={isReadOnly}
          />
          <TextField
            label={t('socialAddress', { number: index + 1 })}
            isLabelHidden
            name={`social[${index}].href`}
            type="url"
            placeholder="https://www.linkedin.com/company/…"
            value={href}
            onChange={text => {
              const icon = networkOfAddress(text)
              set(index, { href: text, ...(icon && { name: icon }) })
            }}
            isRequired
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <IconButton
              icon="trash-2"
              label={shell('removeOne', { name: iconLabel(name) })}
              onPress={() => change({ social: social.filter((_, at) => at !== index) })}
            />
          )}
        </div>
      ))}
      {!isReadOnly && social.length < most && (
        <Button
          isSmall
          icon="plus"
          className="justify-self-start"
          onPress={() => change({ social: [...social, { name: 'linkedin-in', href: '' }] })}
        >
          {t('addSocial')}
        </Button>
      )}
    </fieldset>
  )
}

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
