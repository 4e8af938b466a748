import { recount } from '#features/measurement/analytics/index.ts'
import { listWorkspaces } from '#features/workspace/workspaces/index.ts'
import { chooseWorkspace, print, withDatabase } from '../context.ts'

export const rebuild = ({ workspace }: { workspace?: string }): Promise<void> =>
  withDatabase('analytics', async ({ db }, _config, interrupted) => {
    const choice = workspace === undefined ? undefined : await chooseWorkspace(db, workspace)
    for (const { id, name } of await listWorkspaces(db)) {
      if (choice && choice.workspaceId !== id) continue
      interrupted.throwIfAborted()
      const { days, wrongRows: wrong } = await recount(db, id, interrupted)
      const summary = wrong === 0 ? 'no difference' : `${wrong} rows differed and are repaired`
      print(`${name}: ${days} days counted, ${summary}.`)
    }
  })
