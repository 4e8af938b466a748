import type { Command } from 'commander'
import { print, withDatabase } from './context.ts'

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to this version; `serve` does it too')
    .action(() =>
      withDatabase('migrate', async ({ applied }) => {
        print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`)
      }),
    )
}
