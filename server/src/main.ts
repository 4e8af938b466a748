// The command line. The only file that ends the process.
import { Command } from 'commander'
import { addCommands } from '#commands/index.ts'
import { CommandError } from '#kernel/errors.ts'

const about = `Open, self-hosted email signature management.

Settings come from the environment (PORT, DATABASE_URL, SIGNOFF_DATA_DIR, …); docs/operating.md lists them all.
Without DATABASE_URL everything lives in the data folder (./data), and every command works while the server runs.`

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('signoff').description(about).showHelpAfterError('(try `npx signoff --help`)')
  addCommands(program)
  // Whoever reads us (`signoff routes | head`) may have read enough.
  process.stdout.on('error', error => process.exit((error as { code?: string }).code === 'EPIPE' ? 0 : 1))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof CommandError ? error.message : describe(error)}\n`)
  }
  // A pipe takes its time; ending now would cut long output off.
  await Promise.all(
    [process.stdout, process.stderr].map(stream => new Promise(done => stream.write('', done))),
  )
  process.exit()
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
