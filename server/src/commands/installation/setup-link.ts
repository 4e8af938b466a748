import { createSetupLink } from '#features/access/access/index.ts'
import { buildParts } from '#parts.ts'
import { CommandError, print, withDatabase } from '../context.ts'
import { setupLines } from '../serve/first-workspace.ts'

export const printSetupLink = (): Promise<void> =>
  withDatabase('setup-link', async ({ db }, config) => {
    const { secondFactors } = buildParts(config)
    // Also where a mail server is configured: it need not work.
    const link = await createSetupLink(db, config.publicUrl, { ...secondFactors, sendsMail: false })
    if (link === undefined)
      throw new CommandError(
        'There is nothing to set up: no workspace exists, or the owner of the first one can sign in already. `npx signoff accounts reset <email>` prints a link for a person who is locked out.',
      )
    print(setupLines(link).join('\n'))
  })
