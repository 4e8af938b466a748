import { resealTotpSecret, sealedTotpSecrets } from '#features/access/second-factors/index.ts'
import { resealClientSecret, sealedClientSecrets } from '#features/access/sso/index.ts'
import { resealToken, sealedTokens } from '#features/delivery/outlook/index.ts'
import { resealAccountMail, sealedAccountMails } from '#features/workspace/account-mails/index.ts'
import { resealSecret, sealedSecrets } from '#features/workspace/integrations/index.ts'
import { resealWebhookSecret, sealedWebhookSecrets } from '#features/workspace/webhooks/index.ts'
import { createVault } from '#platform/secrets.ts'
import { CommandError, print, withDatabase } from '../context.ts'

/**
 * Encrypts one secret at a time, so that the command can run again after an interruption. A secret that is replaced
 * meanwhile is encrypted with the first key already.
 */
export const reseal = (): Promise<void> =>
  withDatabase('secrets', async ({ db }, config) => {
    const vault = createVault(config)
    const unreadable: string[] = []
    const integrations = await sealedSecrets(db)
    const webhooks = await sealedWebhookSecrets(db)
    const connections = await sealedClientSecrets(db)
    const apps = await sealedTotpSecrets(db)
    const tokens = await sealedTokens(db)
    const saveApp: typeof resealSecret = (db, _, id, secret, resealed) =>
      resealTotpSecret(db, id, secret, resealed)
    const secrets = [
      ...integrations.map(secret => ({ ...secret, save: resealSecret })),
      ...webhooks.map(secret => ({ ...secret, save: resealWebhookSecret })),
      ...connections.map(secret => ({ ...secret, save: resealClientSecret })),
      ...tokens.map(secret => ({ ...secret, save: resealToken })),
      ...apps.map(secret => ({ ...secret, name: 'authenticator app', workspace_id: '', save: saveApp })),
    ]
    for (const { workspace_id, id, name, secret, save } of secrets) {
      const plaintext = await vault.open(secret, id).catch(error => {
        if (error instanceof CommandError) throw error
        unreadable.push(`  ${id}  ${name}`)
      })
      if (plaintext !== undefined) await save(db, workspace_id, id, secret, await vault.seal(plaintext, id))
    }
    // Mails that wait; one that no key opens is not sent, and its job tells.
    for (const { id, sealed } of await sealedAccountMails(db)) {
      const plaintext = await vault.open(sealed, id).catch(() => undefined)
      if (plaintext !== undefined) await resealAccountMail(db, id, await vault.seal(plaintext, id))
    }
    print(`Sealed anew: ${secrets.length - unreadable.length} of ${secrets.length}.`)
    if (unreadable.length > 0)
      throw new CommandError(
        `None of the keys opens these; bring back the key they were sealed with, or connect them again:\n${unreadable.join('\n')}`,
      )
  })
