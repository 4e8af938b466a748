// What a relay keeps sealed: its DKIM key, and the secrets of headers that messages of its clients must have.
import { type Detail, detail, invalid, validationError } from '#kernel/base/errors.ts'
import { type HeaderSecrets, parseClient } from '../clients/clients.ts'
import type { DkimKey } from './settings.ts'

export interface OpenRelaySecret {
  readonly dkim?: DkimKey
  readonly header_secrets?: HeaderSecrets
}

export const readRelaySecret = (opened: string | null): OpenRelaySecret =>
  opened === null ? {} : JSON.parse(opened)

/** The stored secret of a relay that is changed. */
export const keptRelaySecret = async (open: () => Promise<string | null>): Promise<OpenRelaySecret> =>
  readRelaySecret(
    await open().catch((error: Error) => {
      throw invalid('secret', 'invalid', {
        message: `secret: the stored one cannot be opened (${error.message}). Connect the relay anew, or give the service the key that it was sealed with.`,
      })
    }),
  )

/** A new network of a mail system that has a secret already: known when all its clients have the same. */
function secretOfHeader(header: string, secretByClient: ReadonlyMap<string, string>): string | undefined {
  const matches = [...secretByClient]
    .filter(([text]) => text.endsWith(`;header=${header}`))
    .map(([, secret]) => secret)
  return new Set(matches).size === 1 ? matches[0] : undefined
}

/** Separates clients, as they were sent and checked, from their secrets. A secret that is left out stays as it is. */
export function separateSecrets(
  sent: readonly string[],
  stored: HeaderSecrets = {},
): { readonly clients: readonly string[]; readonly secrets: HeaderSecrets } {
  const clients = sent.flatMap((text, index) => {
    const client = parseClient(text)
    return typeof client === 'string' ? [] : { ...client, field: `settings.clients[${index}]` }
  })
  const fieldByClient = new Map<string, string>()
  const sentSecrets = clients.flatMap(({ text, proof }) =>
    proof?.isSecret && proof.value !== null ? [[text, proof.value] as const] : [],
  )
  const secretByClient = new Map([...Object.entries(stored), ...sentSecrets])
  const problems: Detail[] = []
  const secrets: [string, string][] = []
  for (const { field, text, proof } of clients) {
    const first = fieldByClient.get(text)
    if (first !== undefined)
      problems.push({
        ...detail(field, 'duplicate'),
        message: `${field} must differ from ${first} in more than the secret: take another name for the second header`,
      })
    else fieldByClient.set(text, field)
    if (!proof?.isSecret) continue
    const secret = secretByClient.get(text) ?? secretOfHeader(proof.header, secretByClient)
    if (secret !== undefined) secrets.push([text, secret])
    else
      problems.push({
        ...detail(field, 'missing'),
        message: `${field} must have a secret behind the name of its header: ;header=${proof.header}:secret`,
      })
  }
  if (problems.length > 0) throw validationError(problems)
  return { clients: [...fieldByClient.keys()], secrets: Object.fromEntries(secrets) }
}
