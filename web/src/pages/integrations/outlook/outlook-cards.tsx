// The Outlook add-in: how an admin installs it, its manifests, and what Outlooks report.
import type { Integration } from '@signoff/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { buttonClasses } from '#ui/button.tsx'
import { CopyField } from '#ui/copy-field.tsx'
import { Icon } from '#ui/icon.tsx'
import { Card, Notice } from '#ui/page.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { GuideLink, OuterLink } from '../parts/outer-link.tsx'
import { StepList } from '../parts/step-list.tsx'
import { ManifestsCard, useManifests } from './manifests.tsx'
import { outlookGuide } from './outlook-guide.ts'
import { TroublesCard } from './troubles.tsx'

const adminCentre = 'https://admin.microsoft.com/#/Settings/IntegratedApps'
const noRoamingSignatures = 'Set-OrganizationConfig -PostponeRoamingSignaturesUntilLater $true'
const steps = ['download', 'upload', 'assign', 'check', 'everyone'] as const

function DownloadButton({ integrationId }: { readonly integrationId: string }) {
  const t = useTranslations('integrations.outlook')
  const mayWrite = useCan()('integrations:write')
  const [newest] = useManifests(integrationId, mayWrite).data ?? []
  if (!mayWrite) return <Notice>{t('forAdmins')}</Notice>
  if (!newest) return null
  return (
    <a href={newest.manifest_url} download="signoff-manifest.xml" className={buttonClasses('primary', true)}>
      <Icon name="download" />
      {t('download')}
    </a>
  )
}

function InstallCard({ integration: { id } }: { readonly integration: Integration }) {
  const t = useTranslations('integrations.outlook')
  const extras: Readonly<Partial<Record<(typeof steps)[number], ReactNode>>> = {
    download: <DownloadButton integrationId={id} />,
    upload: <OuterLink href={adminCentre}>{t('openAdminCentre')}</OuterLink>,
    check: (
      <TextLink to="/installations" search={{ integration: id }}>
        {t('whoFetched')}
      </TextLink>
    ),
    everyone: <CopyField label={t('roaming')} value={noRoamingSignatures} />,
  }
  return (
    <Card title={t('title')} about={t('about')} actions={<GuideLink href={outlookGuide} />}>
      <div className="grid gap-5">
        {location.protocol !== 'https:' && <Notice kind="warn">{t('needsHttps')}</Notice>}
        <StepList steps={steps.map(id => ({ id, text: t(`steps.${id}`), extra: extras[id] }))} />
      </div>
    </Card>
  )
}

export function OutlookCards({ integration }: { readonly integration: Integration }) {
  const mayWrite = useCan()('integrations:write')
  return (
    <>
      <InstallCard integration={integration} />
      <div className="grid grid-cols-1 gap-4">
        {mayWrite && <ManifestsCard integrationId={integration.id} />}
        <TroublesCard integrationId={integration.id} />
      </div>
    </>
  )
}
