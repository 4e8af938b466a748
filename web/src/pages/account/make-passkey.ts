// Adds a passkey: the service gives options, the browser asks its device, and the service takes what was signed.
import { accountCall } from '#api/account.ts'

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))

const textOf = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

interface CreationOptions
  extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials?: readonly { readonly id: string; readonly type: 'public-key' }[]
}

/** Browsers make no passkeys for an address that is a number, nor on pages without https. */
export const canMakePasskeys = 'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(location.hostname)

/** Returns the recovery codes of the first second factor; null when the person cancelled. */
export async function makePasskey(name: string): Promise<readonly string[] | null> {
  const options = await accountCall<CreationOptions>('POST', '/v1/me/passkeys/options')
  // parseCreationOptionsFromJSON and toJSON do the same, in newer browsers only.
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map(each => ({ ...each, id: bytesOf(each.id) })),
  }
  const made = await navigator.credentials.create({ publicKey }).catch((error: Error) => {
    if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null
    throw error
  })
  if (!made) return null
  const { id, rawId, type, authenticatorAttachment } = made as PublicKeyCredential
  const response = (made as PublicKeyCredential).response as AuthenticatorAttestationResponse
  const credential = {
    id,
    rawId: textOf(rawId),
    type,
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
  const added = await accountCall<{ recovery_codes: string[] }>('POST', '/v1/me/passkeys', {
    name,
    credential,
  })
  return added.recovery_codes
}
