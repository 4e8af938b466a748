// The part of the form that describes the provider.
import { useTranslations } from 'use-intl'
import { TextField } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import type { ConnectionValues } from './connection-values.ts'

export interface ConnectionPartProps {
  readonly values: ConnectionValues
  readonly set: (values: Partial<ConnectionValues>) => void
  /** A stored connection has a secret, which is never shown. */
  readonly isStored: boolean
}

function OidcFields({ values, set, isStored }: ConnectionPartProps) {
  const t = useTranslations('settings.signIn.form')
  return (
    <>
      <TextField
        label={t('issuer')}
        name="issuer"
        type="url"
        hint={t('issuerHint')}
        placeholder="https://login.example.com"
        value={values.issuer}
        onChange={issuer => set({ issuer })}
        isRequired
      />
      <TextField
        label={t('clientId')}
        name="client_id"
        value={values.client_id}
        onChange={client_id => set({ client_id })}
        isRequired
      />
      <TextField
        label={t('clientSecret')}
        name="client_secret"
        type="password"
        autoComplete="off"
        hint={isStored ? t('secretKept') : t('secretHint')}
        value={values.client_secret}
        onChange={client_secret => set({ client_secret })}
      />
    </>
  )
}

function SamlFields({ values, set }: ConnectionPartProps) {
  const t = useTranslations('settings.signIn.form')
  return (
    <>
      <Select
        label={t('samlSource')}
        value={values.samlSource}
        onChange={samlSource => set({ samlSource })}
        options={(['metadata_url', 'metadata_xml', 'manual'] as const).map(id => ({
          id,
          label: t(`sources.${id}`),
        }))}
      />
      {values.samlSource === 'metadata_url' && (
        <TextField
          label={t('metadataUrl')}
          name="metadata_url"
          type="url"
          hint={t('metadataUrlHint')}
          value={values.metadata_url}
          onChange={metadata_url => set({ metadata_url })}
          isRequired
        />
      )}
      {values.samlSource === 'metadata_xml' && (
        <TextField
          label={t('metadataXml')}
          name="metadata_xml"
          rows={5}
          value={values.metadata_xml}
          onChange={metadata_xml => set({ metadata_xml })}
          isRequired
        />
      )}
      {values.samlSource === 'manual' && (
        <>
          <TextField
            label={t('entityId')}
            name="issuer"
            value={values.issuer}
            onChange={issuer => set({ issuer })}
            isRequired
          />
          <TextField
            label={t('ssoUrl')}
            name="sso_url"
            type="url"
            value={values.sso_url}
            onChange={sso_url => set({ sso_url })}
            isRequired
          />
          <TextField
            label={t('certificates')}
            name="certificates"
            hint={t('certificatesHint')}
            rows={5}
            value={values.certificates}
            onChange={certificates => set({ certificates })}
            isRequired
          />
        </>
      )}
    </>
  )
}

export const ProviderFields = (props: ConnectionPartProps) =>
  props.values.kind === 'oidc' ? <OidcFields {...props} /> : <SamlFields {...props} />
