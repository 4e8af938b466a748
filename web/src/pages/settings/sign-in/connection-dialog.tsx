import type { RequestOptions, SsoConnection, SsoConnectionPatch } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { useEdit } from '#state/use-edit.ts'
import { CopyField } from '#ui/base/copy-field.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { RadioChoice } from '#ui/form/choice.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { AccessFields } from './access-fields.tsx'
import {
  connectionInputOf,
  connectionPatch,
  emptyConnection,
  valuesOfConnection,
} from './connection-values.ts'
import { PartField, ProviderFields } from './provider-fields.tsx'

const guides = ['sso-entra', 'sso-google', 'sso-okta', 'sso-keycloak'] as const

/** The labels of the properties, for the comparison of two versions. */
const partLabels = [
  ['name', 'name'],
  ['issuer', 'issuer'],
  ['client_id', 'clientId'],
  ['sso_url', 'ssoUrl'],
  ['certificates', 'certificates'],
  ['allowed_domains', 'domains'],
  ['just_in_time', 'justInTime'],
  ['trust_email', 'trustEmail'],
  ['default_role', 'defaultRole'],
  ['group_roles', 'groupRoles'],
  ['group_claim', 'groupClaim'],
  ['email_claim', 'emailClaim'],
  ['owner_trusted', 'ownerTrusted'],
] as const

interface ProviderSideProps {
  readonly kind: 'oidc' | 'saml'
  readonly stored: SsoConnection | undefined
}

/** The values that the administrator of the provider has to enter there. */
function ProviderSide({ kind, stored }: ProviderSideProps) {
  const t = useTranslations('settings.signIn.form')
  const { id } = useMe().workspace
  const { origin } = location
  const callback =
    stored?.callback_url ??
    (kind === 'oidc' ? `${origin}/auth/oidc/callback` : `${origin}/auth/saml/${id}/acs`)
  return (
    <section className="grid gap-3 rounded-xl bg-sunken/60 p-4">
      <h3 className="font-medium">{t('providerSide')}</h3>
      <p className="text-[0.8125rem] text-muted">
        {t('providerSideText')}{' '}
        {guides.map(guide => (
          <a
            key={guide}
            href={`/docs/guides/${guide}`}
            target="_blank"
            rel="noreferrer"
            className="me-3 inline-block text-accent underline underline-offset-2"
          >
            {t(`guides.${guide}`)}
          </a>
        ))}
      </p>
      <CopyField label={t(kind === 'oidc' ? 'redirectUri' : 'acs')} value={callback} />
      {kind === 'saml' && (
        <CopyField
          label={t('ourEntityId')}
          value={stored?.entity_id ?? `${origin}/auth/saml/${id}/metadata`}
        />
      )}
    </section>
  )
}

interface ConnectionDialogProps {
  /** Without one, a connection is created. */
  readonly stored?: SsoConnection
  readonly onClose: () => void
  readonly onSaved: (saved: SsoConnection) => void
}

export default function ConnectionDialog({ stored, onClose, onSaved }: ConnectionDialogProps) {
  const t = useTranslations('settings.signIn.form')
  const shell = useTranslations('shell')
  const [values, setValues] = useState(stored ? valuesOfConnection(stored) : emptyConnection)
  const set = (part: Partial<typeof values>) => setValues(before => ({ ...before, ...part }))
  const id = stored?.id ?? ''
  const edit = useEdit({
    seen: stored ?? {},
    read: () => api.ssoConnections.get(id),
    save: (patch: SsoConnectionPatch, options: RequestOptions) =>
      api.ssoConnections.update(id, patch, options),
    labelOf: key => {
      const name = partLabels.find(([part]) => part === key)?.[1]
      return name ? t(name) : key
    },
    onDiscard: () => {
      onClose()
      void readAgain('sso_connections')
    },
  })
  const send = async () =>
    stored ? edit(connectionPatch(stored, values)) : api.ssoConnections.create(connectionInputOf(values))
  const done = (saved: SsoConnection) => {
    void readAgain('sso_connections')
    toast(shell('saved'))
    onClose()
    onSaved(saved)
  }
  const parts = { values, set, isStored: stored !== undefined }
  return (
    <FormDialog
      title={t(stored ? 'editTitle' : 'createTitle')}
      onClose={onClose}
      isModalOnly
      onSubmit={send}
      onDone={done}
      action={t('saveAndTest')}
    >
      {!stored && (
        <RadioChoice
          label={t('kind')}
          value={values.kind}
          onChange={kind => set({ kind, trust_email: kind === 'saml' })}
          options={[
            { id: 'oidc', label: t('oidc'), hint: t('oidcHint') },
            { id: 'saml', label: t('saml'), hint: t('samlHint') },
          ]}
        />
      )}
      <ProviderSide kind={values.kind} stored={stored} />
      <h3 className="mt-2 font-medium">{t('thisSide')}</h3>
      <PartField
        values={values}
        set={set}
        part="name"
        label={t('name')}
        hint={t('nameHint')}
        isRequired
        maxLength={200}
      />
      <ProviderFields {...parts} />
      <h3 className="mt-2 font-medium">{t('access')}</h3>
      <AccessFields {...parts} />
    </FormDialog>
  )
}
