import type { Command } from 'commander'
import { backup, restore } from '../backup.ts'
import { readConfig } from '../config.ts'
import { Stop } from '../kernel/errors.ts'
import { print, withDatabase } from './context.ts'

export function backupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write everything in the data folder to one file (.tar.gz), while serving')
    .action((file: string) =>
      withDatabase('backup', async ({ db, folder }, { dataDir }, interrupted) => {
        if (folder === null)
          throw new Stop(
            '`backup` is for the embedded PostgreSQL; back up a server with its own tools (pg_dump).',
          )
        const bytes = await backup({ db, dataDir, folder, file, interrupted })
        print(`Wrote ${file} (${(bytes / 1e6).toFixed(1)} MB).`)
      }),
    )
  program
    .command('restore <file>')
    .description('make the data folder from a backup; it must not exist yet, or be empty')
    .action(async (file: string) => {
      const { dataDir, databaseUrl } = readConfig()
      if (databaseUrl !== null)
        throw new Stop('`restore` is for the embedded PostgreSQL; unset DATABASE_URL.')
      const undo = await restore({ file, dataDir })
      // Opening it replays what was written while the backup ran, and shows that it is whole.
      await withDatabase('restore', async () => undefined).catch(async error => {
        await undo()
        const why = error instanceof Error ? error.message : String(error)
        throw new Stop(`${file} does not hold a database that can be opened; nothing was restored. ${why}`)
      })
      print(`Restored ${dataDir}. Start with \`npm start\`.`)
    })
}
