// The settings of the add-in, which are settings of an integration of kind `microsoft_365`.
import { type Static, Type } from 'typebox'
import type { TestStep } from '#features/workspace/integrations/index.ts'
import { isEmailAddress, OneOf, Uuid, uuid } from '#kernel/api/validation.ts'
import { invalid } from '#kernel/base/errors.ts'
import { comparisonKey } from '#kernel/db/text.ts'

export const addInSettings = {
  add_in_auth: Type.Optional(
    OneOf(['token', 'naa'], {
      description:
        'How Outlook proves itself. `token`: by the deployment token in its addresses. `naa`: the person signs in by nested app authentication as well. Default: `token`.',
    }),
  ),
  add_in_client_id: Type.Optional(
    Uuid({
      description:
        'For `naa`: the Application (client) ID of the app registration of the add-in. Default: `client_id`.',
    }),
  ),
  add_in_token_fallback: Type.Optional(
    Type.Boolean({
      description:
        'For `naa`: an Outlook that cannot sign the person in gets signatures by the deployment token alone. Default: false.',
    }),
  ),
  add_in_shared_addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 320 }), {
      maxItems: 500,
      uniqueItems: true,
      description: 'For `naa`: addresses that everybody can write from, such as shared mailboxes.',
      examples: [['sales@example.com']],
    }),
  ),
}

const Settings = Type.Object({ ...addInSettings, tenant: Type.Optional(Type.String()) })

/** Settings of nested app authentication. */
export interface SignInSettings {
  readonly tenantId: string
  readonly clientId: string
  /** Complete, as the add-in asks for it. */
  readonly scope: string
  readonly fallsBackToToken: boolean
  /** In the form of `comparisonKey`. */
  readonly sharedAddresses: ReadonlySet<string>
}

/** The name of the permission; the app registration exposes it under its own id. */
export const signatureScope = 'signature.read'

/** Null: the deployment token is enough. */
export function signInSettingsOf(
  stored: Readonly<Record<string, unknown>>,
  publicUrl: string,
): SignInSettings | null {
  const settings = stored as Static<typeof Settings> & { readonly client_id?: string }
  if (settings.add_in_auth !== 'naa') return null
  const clientId = settings.add_in_client_id ?? settings.client_id ?? ''
  return {
    tenantId: settings.tenant ?? '',
    clientId,
    scope: `api://${new URL(publicUrl).host}/${clientId}/${signatureScope}`,
    fallsBackToToken: settings.add_in_token_fallback ?? false,
    sharedAddresses: new Set((settings.add_in_shared_addresses ?? []).map(comparisonKey)),
  }
}

const refuse = (field: string, message: string) =>
  invalid(field, 'invalid', { message: `${field} ${message}` })

/** Refuses settings whose faults the schema cannot express. */
export function refuseWrongAddInSettings(stored: Readonly<Record<string, unknown>>): void {
  const settings = stored as Static<typeof Settings> & { readonly client_id?: string }
  const wrong = (settings.add_in_shared_addresses ?? []).findIndex(address => !isEmailAddress(address))
  if (wrong >= 0) throw refuse(`settings.add_in_shared_addresses[${wrong}]`, 'must be an email address')
  if (settings.add_in_auth !== 'naa') return
  if (!uuid.test(settings.tenant ?? ''))
    throw refuse('settings.tenant', 'must be the Directory (tenant) ID while add_in_auth is naa')
  if ((settings.add_in_client_id ?? settings.client_id) === undefined)
    throw invalid('settings.add_in_client_id', 'missing', { missing: ['add_in_client_id'] })
}

/** Outlook loads add-ins by https only. */
export function addInSteps(publicUrl: string): readonly TestStep[] {
  const isEncrypted = publicUrl.startsWith('https://')
  return [
    {
      name: 'address',
      ok: isEncrypted,
      message: isEncrypted
        ? 'Outlook can load the add-in by https.'
        : `Outlook refuses ${publicUrl}: it is not https.`,
      remedy: isEncrypted ? null : 'Set SIGNOFF_PUBLIC_URL to an https address that all people reach.',
    },
  ]
}
