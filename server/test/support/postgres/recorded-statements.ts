// Records the text of each statement that a file in src runs, once per worker. Statements of the tests themselves are
// left out: the file that asks for the statement is on the stack.
import { statementTexts } from '#kernel/db/db.ts'

export interface RecordedStatement {
  readonly text: string
  /** From server/: `src/features/folders/queries.ts`. */
  readonly file: string
}

const seen = new Set<string>()
const waiting: RecordedStatement[] = []

/** They pass on the statements of others. */
const passing =
  /\/kernel\/(db\/(db|database-session)|http\/workspace-shares|base\/(bounded|keyed|fair)-queue)\.ts/

function askingFile(): string | undefined {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 20
  const lines = (new Error().stack ?? '').split('\n')
  Error.stackTraceLimit = before
  return lines
    .filter(line => !passing.test(line))
    .map(line => /\/server\/((?:src|test)\/[\w./-]+\.ts)/.exec(line)?.[1])
    .find(file => file !== undefined && file !== 'test/support/postgres/recorded-statements.ts')
}

statementTexts.subscribe(message => {
  const text = String(message)
  if (seen.has(text)) return
  const file = askingFile()
  if (!file?.startsWith('src/') || file.endsWith('.test.ts')) return
  seen.add(text)
  waiting.push({ text, file })
})

/** Those that were not taken before. */
export const takeStatements = (): RecordedStatement[] => waiting.splice(0)
