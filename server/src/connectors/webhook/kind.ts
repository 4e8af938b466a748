// The address of the customer's own system, and its test.
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { IntegrationKind, TestStep } from '#features/workspace/integrations/index.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { KindDeps } from '../connector.ts'

const settings = ClosedObject({
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'Where the signatures are posted to.',
    examples: ['https://mail.example.com/signatures'],
  }),
})

const testMilliseconds = 10_000

const failedStep = (problem: string, remedy: string): TestStep => ({
  name: 'address',
  ok: false,
  message: `The address ${problem}.`,
  remedy,
})

export const webhookKind = ({
  addressProblem,
  fetchPublic,
}: Pick<KindDeps, 'addressProblem' | 'fetchPublic'>): IntegrationKind => ({
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
  /** A GET changes nothing there. Its status says nothing about deliveries, which are signed POST requests. */
  async test({ settings }) {
    const answer = await fetchPublic(String(settings.url), {
      redirects: 0,
      maxBytes: 'none',
      milliseconds: testMilliseconds,
    })
    if (answer.ok || answer.reason === 'redirect')
      return [{ name: 'address', ok: true, message: 'The address can be reached.', remedy: null }]
    return [
      answer.reason === 'not_public'
        ? failedStep(answer.problem, 'Change the setting url to a public https address.')
        : failedStep(answer.problem, 'Check the setting url, and that the system behind it is running.'),
    ]
  },
})
