// Connects a system, step by step. The steps after the first one are at /integrations/{id}/setup, to be resumed later.
import type { CreatedIntegration } from '@signoff/sdk'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { NoAccessPage, NotFoundPage } from '#records/failures.tsx'
import { useAddressState } from '#state/address-state.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { CopyField } from '#ui/base/copy-field.tsx'
import { Card, Page } from '#ui/layout/page.tsx'
import { SecretDialog } from '#ui/overlay/secret-dialog.tsx'
import { ConnectForm } from './connect/connect-form.tsx'
import { isAddInOnly, isKnownKind, kinds } from './kinds.ts'
import { GuideLink } from './parts/outer-link.tsx'
import { StepList } from './parts/step-list.tsx'

const steps = ['one', 'two', 'three'] as const

/** Kinds whose addresses lie inside the own network: only the machine that runs the service connects them. */
function OperatorCard({ kind }: { readonly kind: 'ldap' }) {
  const t = useTranslations('integrations')
  const { command = '', guide } = kinds[kind]
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4">
      <Card title={t('operator.title')} about={t('operator.about')} actions={<GuideLink href={guide} />}>
        <div className="mb-5">
          <StepList steps={steps.map(step => ({ id: step, text: t(`kinds.${kind}.steps.${step}`) }))} />
        </div>
        <CopyField label={t('operator.command')} value={command} />
        <p className="mt-4 text-[0.8125rem] text-muted">{t('operator.after')}</p>
        <div className="mt-5 flex justify-end">
          <LinkButton to="/integrations">{t('back')}</LinkButton>
        </div>
      </Card>
    </div>
  )
}

export default function ConnectPage() {
  const t = useTranslations('integrations')
  const can = useCan()
  const navigate = useNavigate()
  const [integration, setIntegration] = useState<CreatedIntegration>()
  const [{ for: purpose }] = useAddressState<'for'>()
  const { kind = '' } = useParams({ strict: false }) as { readonly kind?: string }
  if (!isKnownKind(kind)) return <NotFoundPage />
  if (!can('integrations:write')) return <NoAccessPage />
  const capabilities = kinds[kind].capabilities.filter(each => each === purpose)
  const offer = isAddInOnly({ kind, capabilities }) ? 'offers.outlook' : (`kinds.${kind}` as const)
  const goOn = ({ id, capabilities }: CreatedIntegration) => {
    const part = capabilities.includes('directory') ? '/setup' : ''
    void navigate({ to: `/integrations/${id}${part}` as string })
  }
  return (
    <Page
      title={t('connectTitle', { name: t(`${offer}.title`) })}
      about={t(`${offer}.does`)}
      parent={{ to: '/integrations', label: t('title') }}
    >
      {kind === 'ldap' ? (
        <OperatorCard kind={kind} />
      ) : (
        <ConnectForm
          key={kind}
          kind={kind}
          {...(capabilities.length > 0 && { capabilities })}
          onConnected={created =>
            created.signing_secret === undefined ? goOn(created) : setIntegration(created)
          }
        />
      )}
      {integration?.signing_secret !== undefined && (
        <SecretDialog
          title={t('webhookSecret.title')}
          label={t('webhookSecret.label')}
          secret={integration.signing_secret}
          onClose={() => goOn(integration)}
        >
          {t('webhookSecret.about')}
        </SecretDialog>
      )}
    </Page>
  )
}
