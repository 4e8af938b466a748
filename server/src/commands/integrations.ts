import { randomBytes } from 'node:crypto'
import {
  connectedIntegrations,
  connectIntegration,
  disconnectIntegration,
} from '#features/integrations/index.ts'
import { ApiError } from '#kernel/errors.ts'
import { buildParts } from '#parts.ts'
import { addressProblem } from '#platform/public-fetch.ts'
import { CommandError, chooseWorkspace, print, table, withDatabase } from './context.ts'

interface WebhookOptions {
  readonly workspace?: string
  readonly url: string
  readonly name: string
}

export const addWebhook = (options: WebhookOptions): Promise<void> =>
  withDatabase('integrations', async ({ db }, config) => {
    const { url, name } = options
    const problem = addressProblem(url, config)
    if (problem !== undefined) throw new CommandError(`--url: the address ${problem}.`)
    const by = await chooseWorkspace(db, options.workspace)
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const integration = {
      kind: 'webhook',
      name,
      dashboardUrl: null,
      drivesTeammates: false,
      settings: { url },
      secret,
    }
    const id = await connectIntegration(db, by, integration, buildParts(config).integrations)
    print(
      `Connected as ${id}. Signatures are posted to ${url}, signed as Standard Webhooks with\n\n  ${secret}\n`,
    )
    print('It is shown this once.')
  })

export const list = (options: { readonly workspace?: string }): Promise<void> =>
  withDatabase('integrations', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const systems = await connectedIntegrations(db, by.workspaceId)
    const rows = systems.map(({ id, kind, settings, has_error }) => [
      id,
      kind,
      has_error ? 'error' : 'active',
      String(settings.url ?? settings.client_email ?? ''),
    ])
    print(table([['id', 'kind', 'status', 'address'], ...rows]))
  })

export const remove = (id: string, options: { readonly workspace?: string }): Promise<void> =>
  withDatabase('integrations', async ({ db }, config) => {
    const by = await chooseWorkspace(db, options.workspace)
    await disconnectIntegration(db, by, id, buildParts(config).integrations).catch(error => {
      const isMissing = error instanceof ApiError && error.code === 'not_found'
      throw isMissing ? new CommandError(`There is no integration ${id}.`) : error
    })
    print('Disconnected.')
  })
