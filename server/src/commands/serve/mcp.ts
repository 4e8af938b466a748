import { serveStdio } from '@signoff/mcp'
import { readConfig } from '#config.ts'
import { CommandError } from '../context.ts'

/** Standard output belongs to the protocol, so everything else goes to standard error. */
export async function mcp(): Promise<void> {
  const { url, apiKey } = readConfig()
  if (apiKey === null)
    throw new CommandError(
      'Set SIGNOFF_API_KEY to the API key that the agent acts with; see docs/build/mcp.md.',
    )
  const onError = (error: unknown) =>
    void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await serveStdio({ url, apiKey, onError })
}
