// The customer's own system as a channel: signatures are posted to it.
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { IntegrationKind } from '#features/integrations/index.ts'
import { invalid } from '#kernel/errors.ts'

export interface WebhookKindDeps {
  /** The end of a sentence such as "The address …"; undefined when the address is allowed. */
  readonly addressProblem: (url: string) => string | undefined
}

const settings = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Where the signatures are posted to.',
      examples: ['https://mail.example.com/signatures'],
    }),
  },
  { additionalProperties: false },
)

export const webhookKind = ({ addressProblem }: WebhookKindDeps): IntegrationKind => ({
  kind: 'webhook',
  title: 'Webhook',
  capabilities: ['channel'],
  defaultCapabilities: ['channel'],
  settings,
  secret: null,
  dashboardUrl: null,
  accept({ settings, isNew }) {
    const problem = addressProblem(String(settings.url))
    if (problem !== undefined)
      throw invalid('settings.url', 'invalid', { message: `settings.url: the address ${problem}` })
    if (!isNew) return { settings }
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    return { settings, secret, reveals: { signing_secret: secret } }
  },
  async test({ settings }) {
    const problem = addressProblem(String(settings.url))
    return [
      problem === undefined
        ? { name: 'address', ok: true, message: 'The address is allowed.', remedy: null }
        : {
            name: 'address',
            ok: false,
            message: `The address ${problem}.`,
            remedy: 'Change the setting url to a public https address.',
          },
    ]
  },
})
