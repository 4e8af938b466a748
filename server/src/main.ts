// The command line. The only file that ends the process.
import { Command, CommanderError } from 'commander'
import { addCommands } from '#commands/index.ts'
import { ApiError, OperatorError } from '#kernel/base/errors.ts'

const about = `Open, self-hosted email signature management.

Settings come from the environment (PORT, DATABASE_URL, SIGNOFF_DATA_DIR, …); docs/operate/operating.md lists them all.
Without DATABASE_URL everything lives in the data folder (./data), and every command works while the server runs.`

/** Runs a command. Returns the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const program = new Command('signoff')
    .description(about)
    .showHelpAfterError('(try `npx signoff --help`)')
    .exitOverride()
  addCommands(program)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    // Commander has printed the help, or what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode
    process.stderr.write(`${await describe(error)}\n`)
    return 1
  }
}

export async function main(argv: readonly string[]): Promise<void> {
  // The reader of a pipe (`signoff demo | head`) can close it early: the command does its work to the end, and gives back
  // what it holds.
  process.stdout.on('error', error => {
    if ((error as { code?: string }).code !== 'EPIPE') process.exit(1)
  })
  const code = await runCommand(argv)
  // A pipe is written to asynchronously; exiting now would cut off long output.
  await Promise.all(
    [process.stdout, process.stderr].map(stream => new Promise(done => stream.write('', done))),
  )
  process.exit(code)
}

/** The rules of features throw ApiError too; its message needs no stack. */
async function describe(error: unknown): Promise<string> {
  if (error instanceof OperatorError) return error.message
  const { problemOfConnection, refusalOfDatabase } = await import('#kernel/db/database-problems.ts')
  if (error instanceof ApiError) return problemOfConnection(error.cause) ?? error.message
  return refusalOfDatabase(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}
