// Tells webhooks what became of signatures on their way to mailboxes.
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { ChannelName } from './channel.ts'

export interface SettledInstallation {
  readonly id: string
  readonly signature_id: string
  readonly email_id: string
  readonly channel: ChannelName
  readonly integration_id: string | null
  /** Null when the signature is installed. */
  readonly error_code: string | null
}

/** In the transaction that settles them. */
export async function announceSettled(
  tx: Db,
  workspaceId: string,
  settled: readonly SettledInstallation[],
): Promise<void> {
  const { succeeded = [], failed = [] } = Object.groupBy(settled, ({ error_code }) =>
    error_code === null ? 'succeeded' : 'failed',
  )
  await announce(
    tx,
    workspaceId,
    'installation.succeeded',
    succeeded.map(({ error_code: _, ...installation }) => asListed(installation)),
  )
  await announce(tx, workspaceId, 'installation.failed', failed.map(asListed))
}

interface AnnouncedDrift extends SettledInstallation {
  readonly error_code: string
  /** True if the service writes the signature again. */
  readonly restores: boolean
}

/** In the transaction that records what was found. */
export const announceDrifted = (
  tx: Db,
  workspaceId: string,
  drifted: readonly AnnouncedDrift[],
): Promise<void> => announce(tx, workspaceId, 'installation.drifted', drifted.map(asListed))

/** The signature has the name that the list of installations gives it. */
const asListed = <T extends { readonly signature_id: string }>({ signature_id, ...rest }: T) => ({
  ...rest,
  signature_template_id: signature_id,
})
