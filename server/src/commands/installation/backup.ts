import { readConfig } from '#config.ts'
import { pauseRemovals } from '#features/content/assets/index.ts'
import { backup, restore } from '#platform/backup.ts'
import { CommandError, print, withDatabase } from '../context.ts'

export const writeBackup = (file: string): Promise<void> =>
  withDatabase('backup', async ({ db, folder }, { dataDir }, interrupted) => {
    if (folder === null)
      throw new CommandError(
        '`backup` is for the embedded PostgreSQL; back up a server with its own tools (pg_dump).',
      )
    const bytes = await backup({ db, dataDir, folder, file, pauseRemovals, interrupted })
    print(`Wrote ${file} (${(bytes / 1e6).toFixed(1)} MB).`)
  })

export async function restoreBackup(file: string): Promise<void> {
  const { dataDir, databaseUrl } = readConfig()
  if (databaseUrl !== null)
    throw new CommandError('`restore` is for the embedded PostgreSQL; unset DATABASE_URL.')
  const undo = await restore({ file, dataDir })
  // Opening the database replays the changes made during the backup, and shows that the backup is complete.
  await withDatabase('restore', async () => undefined).catch(async error => {
    await undo()
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`The database in ${file} cannot be opened; nothing was restored. ${reason}`)
  })
  print(`Restored ${dataDir}. Start with \`npm start\`.`)
}
