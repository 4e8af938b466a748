import { resealSecret, sealedSecrets } from '#features/integrations/index.ts'
import { createVault } from '#platform/secrets.ts'
import { CommandError, print, withDatabase } from './context.ts'

/** One by one: whoever is interrupted begins anew. One that is replaced meanwhile is sealed with the first key already. */
export const reseal = (): Promise<void> =>
  withDatabase('secrets', async ({ db }, config) => {
    const vault = createVault(config)
    const closed: string[] = []
    const all = await sealedSecrets(db)
    for (const { workspace_id, id, name, secret } of all) {
      const opened = await vault.open(secret, id).catch(error => {
        if (error instanceof CommandError) throw error
        closed.push(`  ${id}  ${name}`)
      })
      if (opened !== undefined) await resealSecret(db, workspace_id, id, secret, await vault.seal(opened, id))
    }
    print(`Sealed anew: ${all.length - closed.length} of ${all.length}.`)
    if (closed.length > 0)
      throw new CommandError(
        `None of the keys opens these; bring back the key they were sealed with, or connect them again:\n${closed.join('\n')}`,
      )
  })
