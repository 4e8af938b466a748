// Writes sdk/src/generated: part of `npm run generate`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../server/src/config.ts'
import { buildParts } from '../../server/src/parts.ts'
import { apiRoutes } from '../../server/src/routes.ts'
import { sdkSources } from './source.ts'

const folder = join(import.meta.dirname, '../src/generated')
mkdirSync(folder, { recursive: true })
for (const [file, text] of Object.entries(await sdkSources(apiRoutes(buildParts(readConfig({}))))))
  writeFileSync(join(folder, file), text)
