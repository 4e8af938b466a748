// Own domains that connected directories name. They follow the directory, so they are shown and not edited.
import type { Workspace } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { isDirectory, useConnected } from '#api/integrations.ts'
import { Icon } from '#ui/icon.tsx'

export function DirectoryDomains({ draft }: { readonly draft: Workspace }) {
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
