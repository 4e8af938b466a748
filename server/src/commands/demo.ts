import { demoLinks, fillDemo } from '#demo/index.ts'
import { buildParts } from '#parts.ts'
import { chooseWorkspace, print, withDatabase } from './context.ts'

export const demo = ({ workspace }: { workspace?: string }): Promise<void> =>
  withDatabase('demo', async ({ db }, config) => {
    const by = await chooseWorkspace(db, workspace)
    const parts = buildParts(config)
    print(await fillDemo(db, by, parts))
    print('\nWith the server running (`npm start`), look at:')
    for (const link of await demoLinks(db, by, parts)) print(`  ${link}`)
  })
