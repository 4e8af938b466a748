// What is wrong with a setting of the relay, in the language of the dashboard. The API writes English; its words tell which
// sentence fits.
import { useTranslations } from 'use-intl'
import type { OwnProblemMessage } from '#state/error-messages.ts'
import type { KindValues } from './kind-fields.tsx'

const sentences = [
  ['operator', /public internet/],
  ['password', /user name or a password/],
  ['implicitTls', /cannot combine smtps/],
  ['nextHop', /next_hop (must|knows)/],
  ['wide', /is too wide/],
  ['sharedCertificate', /certificate of all customers/],
  ['taken', /another relay/],
  ['secret', /must have a secret/],
  ['secondSecret', /more than the secret/],
  ['googleCustomers', /customers of Google/],
  ['tenant', /;tenant=/],
  ['certificateName', /behind cn:|top-level domain/],
  ['client', /clients\[\d+\] must/],
  ['ownDomain', /own domain of the workspace/],
  ['domain', /domains\[\d+\] must/],
] as const

/** The text of a list that the problem is about. */
function textAt(field: string, values: KindValues): string {
  const [, name, index] = /(clients|domains)\[(\d+)\]$/.exec(field) ?? []
  const list = name === undefined ? undefined : values[name as 'clients']
  return typeof list === 'object' ? (list[Number(index)] ?? '') : ''
}

export function useRelayProblem(kind: string, values: KindValues): OwnProblemMessage | undefined {
  const t = useTranslations('integrations.relayProblems')
  if (kind !== 'smtp_relay') return undefined
  return ({ field, message }) => {
    const sentence = sentences.find(([, pattern]) => pattern.test(message))
    return sentence && t(sentence[0], { value: textAt(field, values) })
  }
}
