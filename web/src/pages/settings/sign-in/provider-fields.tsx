// The part of the form that describes the provider.
import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import type { ConnectionValues } from './connection-values.ts'

export interface ConnectionPartProps {
  readonly values: ConnectionValues
  readonly set: (values: Partial<ConnectionValues>) => void
  /** A stored connection has a secret, which is never shown. */
  readonly isStored: boolean
}

type TextPart = {
  [Part in keyof ConnectionValues]: ConnectionValues[Part] extends string
    ? string extends ConnectionValues[Part]
      ? Part
      : never
    : never
}[keyof ConnectionValues]

type PartFieldProps = Pick<ConnectionPartProps, 'values' | 'set'> &
  Omit<ComponentProps<typeof TextField>, 'name' | 'value' | 'onChange'> & { readonly part: TextPart }

/** A text of the connection. Its name is that of the API, so that an error finds its field. */
export const PartField = ({ part, values, set, ...field }: PartFieldProps) => (
  <TextField {...field} name={part} value={values[part]} onChange={text => set({ [part]: text })} />
)

function OidcFields({ values, set, isStored }: ConnectionPartProps) {
  const t = useTranslations('settings.signIn.form')
  const form = { values, set }
  return (
    <>
      <PartField
        {...form}
        part="issuer"
        label={t('issuer')}
        type="url"
        hint={t('issuerHint')}
        placeholder="https://login.example.com"
        isRequired
      />
      <PartField {...form} part="client_id" label={t('clientId')} isRequired />
      <PartField
        {...form}
        part="client_secret"
        label={t('clientSecret')}
        type="password"
        autoComplete="off"
        hint={isStored ? t('secretKept') : t('secretHint')}
      />
    </>
  )
}

function SamlFields({ values, set }: ConnectionPartProps) {
  const t = useTranslations('settings.signIn.form')
  const form = { values, set, isRequired: true }
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
        <PartField
          {...form}
          part="metadata_url"
          label={t('metadataUrl')}
          type="url"
          hint={t('metadataUrlHint')}
        />
      )}
      {values.samlSource === 'metadata_xml' && (
        <PartField {...form} part="metadata_xml" label={t('metadataXml')} rows={5} />
      )}
      {values.samlSource === 'manual' && (
        <>
          <PartField {...form} part="issuer" label={t('entityId')} />
          <PartField {...form} part="sso_url" label={t('ssoUrl')} type="url" />
          <PartField
            {...form}
            part="certificates"
            label={t('certificates')}
            hint={t('certificatesHint')}
            rows={5}
          />
        </>
      )}
    </>
  )
}

export const ProviderFields = (props: ConnectionPartProps) =>
  props.values.kind === 'oidc' ? <OidcFields {...props} /> : <SamlFields {...props} />
