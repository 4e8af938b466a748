// The steps of a check of SAML: the certificates, the address, and the metadata where an address of it is known.

import { day } from '#kernel/base/durations.ts'
import type { StoredConnection } from '../connections/queries.ts'
import { loadMetadata } from '../connections/rules.ts'
import type { SsoDeps } from '../deps.ts'
import { isSecureAddress } from '../outgoing.ts'
import { type CertificateSummary, summaryOf } from '../saml/certificates.ts'
import type { CheckStep } from './steps.ts'

function certificateStep({ certificates }: StoredConnection, now: Date): CheckStep {
  const name = 'certificates'
  const valid = certificates
    .map(summaryOf)
    .filter(
      ({ valid_from, valid_to }: CertificateSummary) =>
        new Date(valid_from) <= now && new Date(valid_to) > now,
    )
  const remedy = 'Copy the present certificate of the provider, or its metadata, into the connection.'
  const [first] = valid
  if (!first) return { name, status: 'failed', message: 'No certificate is valid at present.', remedy }
  const end =
    valid
      .map(({ valid_to }) => valid_to)
      .sort()
      .at(-1) ?? first.valid_to
  const isSoon = new Date(end).getTime() - now.getTime() < 30 * day
  return {
    name,
    status: isSoon ? 'warning' : 'ok',
    message: `${valid.length} of ${certificates.length} certificates are valid, the last until ${end.slice(0, 10)}.`,
    remedy: isSoon ? remedy : null,
  }
}

function addressStep({ sso_url }: StoredConnection): CheckStep {
  const isSecure = isSecureAddress(sso_url ?? '')
  return {
    name: 'sso_url',
    status: isSecure ? 'ok' : 'failed',
    message: isSecure ? `Browsers are sent to ${sso_url}.` : 'The address of the provider is not https.',
    remedy: isSecure ? null : 'Enter the address for HTTP-Redirect from the metadata of the provider.',
  }
}

async function metadataStep(connection: StoredConnection, deps: SsoDeps): Promise<CheckStep> {
  const name = 'metadata'
  const { metadata_url, issuer, certificates } = connection
  if (metadata_url === null)
    return { name, status: 'skipped', message: 'The connection has no metadata_url.', remedy: null }
  const remedy = 'Send metadata_url to the connection again: it then reads the metadata anew.'
  try {
    const read = await loadMetadata({ metadata_url }, deps)
    if (read?.issuer !== issuer)
      return { name, status: 'failed', message: `The metadata is of ${read?.issuer}.`, remedy }
    const isKnown = read.certificates.every(pem => certificates.includes(pem))
    const message = isKnown
      ? 'The metadata of the provider has not changed.'
      : 'The provider has a certificate that the connection does not know.'
    return { name, status: isKnown ? 'ok' : 'warning', message, remedy: isKnown ? null : remedy }
  } catch (error) {
    return { name, status: 'warning', message: (error as Error).message, remedy }
  }
}

export const samlSteps = async (
  connection: StoredConnection,
  deps: SsoDeps,
): Promise<readonly CheckStep[]> => [
  addressStep(connection),
  certificateStep(connection, new Date()),
  await metadataStep(connection, deps),
]
