import type { Command } from 'commander'
import { everythingChanged } from '../features/installations/index.ts'
import {
  createWorkspace,
  keepEventsFor,
  listWorkspaces,
  type Switch,
  turn,
} from '../features/workspaces/index.ts'
import { Stop } from '../kernel/errors.ts'
import { chooseWorkspace, print, table, withDatabase, workspaceOption } from './context.ts'

/** Installation follows each of them; what stays the same is not installed again. */
const switches: readonly {
  readonly command: string
  readonly name: Switch
  readonly subject: string
  readonly description: string
}[] = [
  {
    command: 'personal-page',
    name: 'personal_page',
    subject: 'The personal page',
    description: 'whether everybody finds their signature on a private page of their own',
  },
  {
    command: 'tracking',
    name: 'tracking',
    subject: 'Tracking',
    description:
      'whether views and clicks are counted; signatures are installed again without it, or with it',
  },
  {
    command: 'click-id',
    name: 'click_id',
    subject: 'The click id',
    description: 'whether a click tells the page it leads to which click it was',
  },
]

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
  for (const { command, name, subject, description } of switches)
    workspaces
      .command(`${command} <on|off>`)
      .description(description)
      .option(...workspaceOption)
      .action((value: string, { workspace }: { workspace?: string }) =>
        withDatabase('workspaces', async ({ db }) => {
          if (value !== 'on' && value !== 'off') throw new Stop(`Say on or off; not ${value}.`)
          const by = await chooseWorkspace(db, workspace)
          await db.transaction(async tx => {
            await turn(tx, by, name, value === 'on')
            await tx.query(everythingChanged(by.workspaceId))
          })
          print(`${subject} is ${value}.`)
        }),
      )
  workspaces
    .command('event-retention <days|forever>')
    .description('for how long single events are kept; what was counted of them stays')
    .option(...workspaceOption)
    .action((value: string, { workspace }: { workspace?: string }) =>
      withDatabase('workspaces', async ({ db }) => {
        if (value !== 'forever' && !/^[1-9]\d{0,4}$/.test(value))
          throw new Stop(`Say a number of days from 1 to 99999, or forever; not ${value}.`)
        const by = await chooseWorkspace(db, workspace)
        await keepEventsFor(db, by, value === 'forever' ? null : Number(value))
        print(value === 'forever' ? 'Events are kept for ever.' : `Events are kept for ${value} days.`)
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
