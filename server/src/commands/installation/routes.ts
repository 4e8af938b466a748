import { readFile, writeFile } from 'node:fs/promises'
import { openApi } from '#api/openapi.ts'
import { readConfig } from '#config.ts'
import { buildParts } from '#parts.ts'
import { apiRoutes, routeTable } from '#routes.ts'
import { CommandError, print, table } from '../context.ts'

const parts = buildParts(readConfig({}))
const noOperations = {
  db: { probe: async () => [] },
  metrics: { contentType: '', text: async () => '' },
  isOpen: () => false,
  dataDir: '',
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
  const text = await openApiText()
  if (write) await writeFile(write, text)
  else if (check) {
    if ((await readFile(check, 'utf8')) !== text)
      throw new CommandError(`${check} is stale: run \`npm run generate\`.`)
  } else print(text.trimEnd())
}

const longestLine = 1_000

/**
 * JSON with a line for each part that fits into one: differences stay readable. Indentation would make the text half as
 * long again.
 */
function linesOf(value: unknown): string {
  const text = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || text.length <= longestLine) return text
  if (Array.isArray(value)) return `[\n${value.map(linesOf).join(',\n')}\n]`
  const lines = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${linesOf(inner)}`)
  return `{\n${lines.join(',\n')}\n}`
}

export const openApiText = async (): Promise<string> => `${linesOf(await openApi(apiRoutes(parts)))}\n`
