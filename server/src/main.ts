// The command line. The only file that ends the process.
import { Command } from 'commander'
import { addCommands } from '#commands/index.ts'
import { ApiError, OperatorError } from '#kernel/errors.ts'

const about = `Open, self-hosted email signature management.

Settings come from the environment (PORT, DATABASE_URL, SIGNOFF_DATA_DIR, …); docs/operating.md lists them all.
Without DATABASE_URL everything lives in the data folder (./data), and every command works while the server runs.`

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('signoff').description(about).showHelpAfterError('(try `npx signoff --help`)')
  addCommands(program)
  // The reader of a pipe (`signoff routes | head`) can close it early.
  process.stdout.on('error', error => process.exit((error as { code?: string }).code === 'EPIPE' ? 0 : 1))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${describe(error)}\n`)
  }
  // A pipe is written to asynchronously; exiting now would cut off long output.
  await Promise.all(
    [process.stdout, process.stderr].map(stream => new Promise(done => stream.write('', done))),
  )
  process.exit()
}

/** The rules of features throw ApiError too; its message needs no stack. */
function describe(error: unknown): string {
  if (error instanceof OperatorError || error instanceof ApiError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
