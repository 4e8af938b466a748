import type { Command } from 'commander'
import { everythingChanged } from '../features/installations/index.ts'
import { createWorkspace, listWorkspaces, switchPersonalPage } from '../features/workspaces/index.ts'
import { Stop } from '../kernel/errors.ts'
import { chooseWorkspace, print, table, withDatabase, workspaceOption } from './context.ts'

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
    .command('personal-page <on|off>')
    .description('whether everybody finds their signature on a private page of their own')
    .option(...workspaceOption)
    .action((value: string, { workspace }: { workspace?: string }) =>
      withDatabase('workspaces', async ({ db }) => {
        if (value !== 'on' && value !== 'off') throw new Stop(`Say on or off; not ${value}.`)
        const by = await chooseWorkspace(db, workspace)
        await db.transaction(async tx => {
          await switchPersonalPage(tx, by, value === 'on')
          await tx.query(everythingChanged(by.workspaceId))
        })
        print(`The personal page is ${value}.`)
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
