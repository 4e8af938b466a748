import { randomBytes } from 'node:crypto'
import { enqueueReconcileWorkspace } from '#features/installations/index.ts'
import { connectedSystems, disconnect, insertIntegration, saveSecret } from '#features/integrations/index.ts'
import { CommandError } from '#kernel/errors.ts'
import { uuid } from '#kernel/validation.ts'
import { problemOf } from '#platform/public-fetch.ts'
import { createVault } from '#platform/secrets.ts'
import { chooseWorkspace, print, table, withDatabase } from './context.ts'

interface WebhookOptions {
  readonly workspace?: string
  readonly url: string
  readonly name: string
}

export const addWebhook = (options: WebhookOptions): Promise<void> =>
  withDatabase('integrations', async ({ db }, config) => {
    const { url, name } = options
    const problem = problemOf(url, config)
    if (problem !== undefined) throw new CommandError(`--url: the address ${problem}.`)
    const by = await chooseWorkspace(db, options.workspace)
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    const vault = createVault(config)
    const id = await db.transaction(async tx => {
      const made = await insertIntegration(tx, by, {
        kind: 'webhook',
        name,
        dashboardUrl: null,
        drivesTeammates: false,
        settings: { url },
      })
      await saveSecret(tx, by.workspaceId, made, await vault.seal(secret, made))
      await tx.query(enqueueReconcileWorkspace(by.workspaceId))
      return made
    })
    print(
      `Connected as ${id}. Signatures are posted to ${url}, signed as Standard Webhooks with\n\n  ${secret}\n`,
    )
    print('It is shown this once.')
  })

export const list = (options: { readonly workspace?: string }): Promise<void> =>
  withDatabase('integrations', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const systems = await connectedSystems(db, by.workspaceId)
    const rows = systems.map(({ id, kind, settings, has_error }) => [
      id,
      kind,
      has_error ? 'error' : 'active',
      String(settings.url ?? settings.client_email ?? ''),
    ])
    print(table([['id', 'kind', 'status', 'address'], ...rows]))
  })

export const remove = (id: string, options: { readonly workspace?: string }): Promise<void> =>
  withDatabase('integrations', async ({ db }) => {
    const by = await chooseWorkspace(db, options.workspace)
    const isThere = await db.transaction(async tx => {
      if (!uuid.test(id) || !(await disconnect(tx, by, id))) return false
      await tx.query(enqueueReconcileWorkspace(by.workspaceId))
      return true
    })
    if (!isThere) throw new CommandError(`There is no integration ${id}.`)
    print('Disconnected.')
  })
