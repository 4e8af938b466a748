import { fillDemo } from '#demo/index.ts'
import { buildParts } from '#parts.ts'
import { chooseWorkspace, print, withDatabase } from './context.ts'

export const demo = ({ workspace }: { workspace?: string }): Promise<void> =>
  withDatabase('demo', async ({ db }, config) => {
    const by = await chooseWorkspace(db, workspace)
    print(await fillDemo(db, by, buildParts(config)))
  })
