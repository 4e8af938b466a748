import { readFile, writeFile } from 'node:fs/promises'
import { openApi } from '#api/openapi.ts'
import { apiRoutes, routeTable } from '#app.ts'
import { readConfig } from '#config.ts'
import { buildParts } from '#parts.ts'
import { CommandError, print, table } from './context.ts'

const parts = buildParts(readConfig({}))
const noOperations = {
  db: { probe: async () => [] },
  metrics: { contentType: '', text: async () => '' },
  isOpen: () => false,
}

export function printRoutes(): void {
  const rows = routeTable(parts, noOperations).map(({ method, path, access, summary }) => [
    method,
    path,
    access,
    summary,
  ])
  print(table([['METHOD', 'PATH', 'SCOPE', ''], ...rows]))
}

export async function printOpenApi({ write, check }: { write?: string; check?: string }): Promise<void> {
  const text = openApiText()
  if (write) await writeFile(write, text)
  else if (check) {
    if ((await readFile(check, 'utf8')) !== text)
      throw new CommandError(`${check} is stale: run \`npm run generate\`.`)
  } else print(text.trimEnd())
}

export const openApiText = (): string => `${JSON.stringify(openApi(apiRoutes(parts)), null, 2)}\n`
