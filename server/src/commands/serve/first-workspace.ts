import type { Config } from '#config.ts'
import { createFirstWorkspace } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'

/** Creates the first workspace from the configuration; undefined when there is a workspace already. */
export const createConfiguredWorkspace = (
  db: Db,
  { workspaceName, ownerEmail, apiKey }: Config,
): Promise<{ readonly key: string } | undefined> =>
  createFirstWorkspace(db, {
    name: workspaceName,
    ownerName: 'Owner',
    ownerEmail,
    key: apiKey ?? undefined,
  })

/** The key is shown only once: after it was created. */
export const keyLines = ({ apiKey }: Config, key: string): readonly string[] => [
  `Your API key:  ${apiKey ? 'the one in SIGNOFF_API_KEY' : key}`,
  ...(apiKey ? [] : ['It is shown this once. Keep it safe; `npx signoff keys create` makes another.']),
]

/** Shown at each start until the owner has a way in. Each link replaces the one before. */
export const setupLines = (link: string): readonly string[] => [
  'Choose your password (the link works once, for 24 hours):',
  link,
]
