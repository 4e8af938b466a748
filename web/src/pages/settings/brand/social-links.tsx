import { brands, iconLabel, networkOfAddress } from '@signoff/render'
import type { Brand } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import type { BrandPartProps } from './parts.ts'

type SocialLink = Brand['social'][number]

/** As many as the API takes. */
const most = 8

export function SocialLinks({ draft, change, isReadOnly }: BrandPartProps) {
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
