import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { openApi } from '../api/openapi.ts'
import { apiRoutes, routeTable } from '../app.ts'
import { readConfig } from '../config.ts'
import { Stop } from '../kernel/errors.ts'
import { print, table } from './context.ts'

const anywhere = readConfig({})
const nobody = {
  db: { probe: async () => [] },
  metrics: { contentType: '', text: async () => '' },
  isOpen: () => false,
}

export function routeCommands(program: Command): void {
  program
    .command('routes')
    .description('print the API as one table: method, path, scope')
    .action(() => {
      const rows = routeTable(anywhere, nobody).map(({ method, path, access, summary }) => [
        method,
        path,
        access,
        summary,
      ])
      print(table([['METHOD', 'PATH', 'SCOPE', ''], ...rows]))
    })
  program
    .command('openapi')
    .description('print the API as an OpenAPI document')
    .option('--write <file>', 'write it to a file')
    .option('--check <file>', 'fail if the file is not this document')
    .action(async ({ write, check }: { write?: string; check?: string }) => {
      const text = openApiText()
      if (write) await writeFile(write, text)
      else if (check) {
        if ((await readFile(check, 'utf8')) !== text)
          throw new Stop(`${check} is stale: run \`npm run generate\`.`)
      } else print(text.trimEnd())
    })
}

export const openApiText = (): string => `${JSON.stringify(openApi(apiRoutes(anywhere)), null, 2)}\n`
