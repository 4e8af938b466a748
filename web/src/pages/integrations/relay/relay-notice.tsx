// Without a domain, a relay refuses the mail of all senders.
import type { Integration } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useMe } from '#api/session.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { Notice } from '#ui/layout/page.tsx'

/** The domains whose senders a relay takes mail from. */
export function useRelayDomains({ settings }: Integration): readonly string[] {
  const { own_domains: ownDomains } = useMe().workspace
  const { domains } = settings as { readonly domains?: readonly string[] }
  return domains && domains.length > 0 ? domains : ownDomains
}

export function RelayNotice({ integration }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.relay')
  if (useRelayDomains(integration).length > 0) return null
  return (
    <Notice kind="warn">
      <p className="font-medium">{t('noDomains')}</p>
      <p>{t('noDomainsAbout')}</p>
      <LinkButton to="/settings/workspace" isSmall className="mt-2.5">
        {t('toDomains')}
      </LinkButton>
    </Notice>
  )
}
