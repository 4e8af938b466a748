import { type DemoSignIn, demoLinks, demoOwnerLink, demoSignIns, fillDemo } from '#demo/index.ts'
import { buildParts } from '#parts.ts'
import { chooseWorkspace, print, table, withDatabase } from '../context.ts'
import { createConfiguredWorkspace, keyLines } from '../serve/first-workspace.ts'

export const demo = ({ workspace }: { workspace?: string }): Promise<void> =>
  withDatabase('demo', async ({ db }, config) => {
    const first = workspace === undefined ? await createConfiguredWorkspace(db, config) : undefined
    if (first)
      print(`Created the workspace ${config.workspaceName}.\n${keyLines(config, first.key).join('\n')}\n`)
    const by = await chooseWorkspace(db, workspace)
    const parts = buildParts(config)
    print(await fillDemo(db, by, parts))
    print('\nWith the server running (`npm start`), look at:')
    const ownerLink = await demoOwnerLink(db, by, parts)
    if (ownerLink !== undefined)
      print(`  Signs you in as the owner, in this browser, once, for 15 minutes:  ${ownerLink}`)
    for (const link of await demoLinks(db, by, parts)) print(`  ${link}`)
    print(`\nPeople to sign in as at ${config.publicUrl}/sign-in:`)
    print(table((await demoSignIns(db, by, parts)).map(signInLine)))
  })

const signInLine = ({ role, email, password, linkCommand }: DemoSignIn): readonly string[] => [
  `  ${role}`,
  email,
  password ??
    (linkCommand === null
      ? 'with the password that was chosen'
      : `has no password yet; a link to choose one: ${linkCommand}`),
]
