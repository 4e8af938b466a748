import type { Command } from 'commander'
import { fillDemo } from '../demo.ts'
import { createStore } from '../storage/index.ts'
import { chooseWorkspace, print, withDatabase, workspaceOption } from './context.ts'

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('fill a workspace with believable data; running it again changes nothing')
    .option(...workspaceOption)
    .action(({ workspace }: { workspace?: string }) =>
      withDatabase('demo', async ({ db }, config) => {
        const by = await chooseWorkspace(db, workspace)
        print(await fillDemo(db, by, createStore(config)))
      }),
    )
}
