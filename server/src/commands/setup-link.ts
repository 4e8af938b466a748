import { createSetupLink } from '#features/access/index.ts'
import { CommandError, print, withDatabase } from './context.ts'
import { setupLines } from './first-workspace.ts'

export const printSetupLink = (): Promise<void> =>
  withDatabase('setup-link', async ({ db }, { publicUrl }) => {
    const link = await createSetupLink(db, publicUrl)
    if (link === undefined)
      throw new CommandError('There is nothing to set up: no workspace exists, or its owner has a password.')
    print(setupLines(link).join('\n'))
  })
