import type { Command } from 'commander'
import { createWorkspace, listWorkspaces } from '../features/workspaces/index.ts'
import { print, table, withDatabase } from './context.ts'

export function workspaceCommands(program: Command): void {
  const workspaces = program.command('workspaces').description('workspaces of this installation')
  workspaces
    .command('create <name>')
    .description('make a workspace with an owner and a key, and show the key, once')
    .requiredOption('--owner-email <address>', 'address of its owner')
    .option('--owner-name <name>', 'name of its owner', 'Owner')
    .action((name: string, { ownerEmail, ownerName }: { ownerEmail: string; ownerName: string }) =>
      withDatabase('workspaces', async ({ db }) => {
        const { id, key } = await createWorkspace(db, { name, ownerName, ownerEmail })
        print(`Workspace ${id}\nAPI key   ${key}\n\nThe key is shown this once.`)
      }),
    )
  workspaces
    .command('list')
    .description('list the workspaces')
    .action(() =>
      withDatabase('workspaces', async ({ db }) => {
        const rows = (await listWorkspaces(db)).map(({ id, name }) => [id, name])
        print(table([['ID', 'NAME'], ...rows]))
      }),
    )
}
