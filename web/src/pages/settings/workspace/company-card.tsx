import type { Workspace } from '@signoff/sdk'
import { useLocale, useTranslations } from 'use-intl'
import { isDirectory, useConnected } from '#api/integrations.ts'
import { Icon } from '#ui/base/icon.tsx'
import { ComboBox } from '#ui/form/combo-box.tsx'
import { TextField } from '#ui/form/field.tsx'
import { TagsField } from '#ui/form/tags-field.tsx'
import { Card } from '#ui/layout/page.tsx'
import type { WorkspacePartProps } from './parts.ts'

/** Own domains that connected directories name. They follow the directory, so they are shown and not edited. */
function DirectoryDomains({ draft }: { readonly draft: Workspace }) {
  const t = useTranslations('settings.workspace')
  const names = useConnected()
    .filter(isDirectory)
    .map(({ name }) => name)
  const domains = draft.own_domains.filter(domain => !draft.domains.includes(domain))
  if (domains.length === 0) return null
  const label = names.length > 0 ? t('domainsFrom', { names: names.join(', ') }) : t('domainsFromDirectory')
  return (
    <div className="mt-3">
      <p className="text-[0.8125rem] text-muted">{label}</p>
      <ul aria-label={label} className="mt-1.5 flex flex-wrap gap-1.5">
        {domains.map(domain => (
          <li
            key={domain}
            className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-lg border border-line px-2.5 text-[0.8125rem]"
          >
            <Icon name="plug" size={13} className="text-muted" />
            <span className="truncate">{domain}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** `Europe/Berlin` → `GMT+1`. */
function offsetOf(zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

const zonesWith = (current: string): readonly string[] => [
  ...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]

/** Languages of companies that send mail; the API takes every other tag too. */
const languageTags = [
  ...[
    'en',
    'en-GB',
    'en-US',
    'de',
    'de-AT',
    'de-CH',
    'fr',
    'es',
    'it',
    'nl',
    'pt',
    'pt-BR',
    'pl',
    'cs',
    'sk',
  ],
  ...['da', 'sv', 'nb', 'fi', 'et', 'lv', 'lt', 'hu', 'ro', 'bg', 'el', 'tr', 'uk', 'hr', 'sl', 'sr', 'ar'],
  ...['he', 'hi', 'id', 'ja', 'ko', 'th', 'vi', 'zh'],
]

export function CompanyCard({ draft, change, isReadOnly }: WorkspacePartProps) {
  const t = useTranslations('settings.workspace')
  const names = new Intl.DisplayNames([useLocale()], { type: 'language' })
  const languages = [...new Set([draft.locale, ...languageTags])].map(tag => ({
    id: tag,
    label: names.of(tag) ?? tag,
    hint: tag,
  }))
  const zones = zonesWith(draft.time_zone).map(zone => ({
    id: zone,
    label: zone.replaceAll('_', ' '),
    hint: offsetOf(zone),
  }))
  return (
    <Card title={t('companyTitle')} about={t('companyAbout')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('fields.name')}
          name="name"
          value={draft.name}
          onChange={name => change({ name })}
          hint={t('nameHint')}
          isRequired
          maxLength={200}
          isReadOnly={isReadOnly}
        />
        <TextField
          label={t('fields.mail_sender_name')}
          name="mail_sender_name"
          value={draft.mail_sender_name ?? ''}
          onChange={text => change({ mail_sender_name: text === '' ? null : text })}
          placeholder={draft.name}
          hint={t('senderHint')}
          maxLength={100}
          isReadOnly={isReadOnly}
        />
        <ComboBox
          label={t('fields.time_zone')}
          name="time_zone"
          options={zones}
          value={draft.time_zone}
          onChange={time_zone => change({ time_zone })}
          hint={t('zoneHint')}
          isReadOnly={isReadOnly}
        />
        <ComboBox
          label={t('fields.locale')}
          name="locale"
          options={languages}
          value={draft.locale}
          onChange={locale => change({ locale })}
          hint={t('localeHint')}
          isReadOnly={isReadOnly}
        />
        <div className="sm:col-span-2">
          <TagsField
            label={t('fields.domains')}
            name="domains"
            values={draft.domains}
            onChange={domains => change({ domains: [...domains] })}
            placeholder="example.com"
            hint={t('domainsHint')}
            isReadOnly={isReadOnly}
          />
          <DirectoryDomains draft={draft} />
        </div>
      </div>
    </Card>
  )
}
