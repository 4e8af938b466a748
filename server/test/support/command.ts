// Runs a command of the command line in this process: a process of its own takes a second of CPU time to start. One
// command at a time, because environment and output belong to the process.
import { runCommand } from '#main.ts'

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

let last: Promise<unknown> = Promise.resolve()

export function command(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const result = last.then(() => runAlone(args, env))
  last = result.catch(() => undefined)
  return result
}

async function runAlone(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const texts = { stdout: '', stderr: '' }
  const restores: (() => void)[] = []
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    const { write } = stream
    stream.write = ((chunk: string | Uint8Array) => {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }) as typeof write
    restores.push(() => {
      stream.write = write
    })
  }
  // Commands keep their listeners until the process ends.
  for (const signal of signals) {
    const before = process.listeners(signal)
    restores.push(() => {
      for (const listener of process.listeners(signal))
        if (!before.includes(listener)) process.off(signal, listener)
    })
  }
  const ownEnv = process.env
  const { PATH = '', HOME = '' } = ownEnv
  process.env = { PATH, HOME, SIGNOFF_LOG_LEVEL: 'warn', ...env }
  restores.push(() => {
    process.env = ownEnv
  })
  try {
    const code = await runCommand(['node', 'signoff', ...args])
    return { code, out: texts.stdout, err: texts.stderr }
  } finally {
    for (const restore of restores) restore()
  }
}
