// Shared by the commands: output, opening the database, and choosing the workspace.
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Config, readConfig } from '#config.ts'
import { listWorkspaces } from '#features/workspace/workspaces/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { OperatorError } from '#kernel/base/errors.ts'
import { createLog } from '#kernel/base/log.ts'
import type { Db } from '#kernel/db/db.ts'
import { type Database, openDatabase } from '#platform/database.ts'

/** An error that the user of the command line can correct. Thrown only in commands/. */
export class CommandError extends OperatorError {}

/** The option of most commands; without it, the only workspace counts. */
export interface WorkspaceOption {
  readonly workspace?: string
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** For texts of other systems: control characters could change what the terminal shows. */
export const printable = (text: string): string =>
  text.replace(/\p{C}/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** The text of the file that an option names. */
export const fileOfOption = (option: string, path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new CommandError(`${option}: the file ${path} cannot be read.`)
  })

/** Pads each column to its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

interface DatabaseUse {
  /** True if the command can be the first one of an installation. Other commands never make a data folder. */
  readonly isFirst?: boolean
  /** Fewer than the service takes, where commands can run by the hundred. Migrations need two. */
  readonly connections?: number
}

async function checkDataFolder({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== null) return
  const isMissing = await stat(join(dataDir, 'postgres')).then(
    () => false,
    error => error.code === 'ENOENT',
  )
  if (isMissing)
    throw new CommandError(
      `There is no data folder of Signoff at ${resolve(dataDir)}. Start the service first, or set SIGNOFF_DATA_DIR to the folder of the service.`,
    )
}

/** A signal does not end the process before `work` is done; long work checks `interrupted`. */
export async function withDatabase<T>(
  name: string,
  work: (database: Database, config: Config, interrupted: AbortSignal) => Promise<T>,
  { isFirst = false, connections }: DatabaseUse = {},
): Promise<T> {
  const config = readConfig()
  if (!isFirst) await checkDataFolder(config)
  const interruption = new AbortController()
  const stop = new CommandError('Interrupted.')
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort(stop))
  const database = await openDatabase({
    config: { ...config, ...(connections && { databasePool: connections }) },
    // What fails is thrown, and printed as one line: beside it, lines of the log would say the same with a stack.
    log: createLog('silent'),
    user: `signoff ${name} (process ${process.pid})`,
    interrupted: interruption.signal,
  })
  try {
    return await work(database, config, interruption.signal)
  } finally {
    await database.close()
  }
}

export async function chooseWorkspace(db: Db, idOrName: string | undefined): Promise<Caller> {
  const workspaces = await listWorkspaces(db)
  const matches = workspaces.filter(
    ({ id, name }) => idOrName === undefined || idOrName === id || idOrName === name,
  )
  const [workspace, second] = matches
  if (workspace && !second) return operator(workspace.id)
  if (workspaces.length === 0)
    throw new CommandError('There is no workspace yet: `npx signoff serve` makes the first one.')
  const list = workspaces.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  const problem = workspace ? 'Several workspaces are meant' : `There is no workspace ${idOrName}`
  throw new CommandError(`${problem}; choose one with --workspace:\n${list}`)
}
