// Memory of processes in MB and their CPU time, as Linux counts them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A field of /proc/<pid>/status, such as VmRSS, VmHWM or RssAnon. */
export const memoryOf = (pid: number | undefined, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export const residentMemory = (pid: number | undefined): number => memoryOf(pid, 'VmRSS')

/** The processes of the embedded PostgreSQL of a data folder, without the first one, which starts the others. */
export function postgresProcesses(dataDir: string): readonly number[] {
  const first = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return new RegExp(`^PPid:\\s+${first}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      } catch {
        return false // the process has ended
      }
    })
}

/** Milliseconds of CPU time so far, of the processes that are still there. */
export const cpuTimeOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      // Behind the name in brackets: the state first, and the two times in hundredths of a second.
      const [, fields = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      const [user, system] = fields.split(' ').slice(11, 13).map(Number)
      return sum + 10 * ((user ?? 0) + (system ?? 0))
    } catch {
      return sum // the process has ended
    }
  }, 0)

/** The private memory of all of them, and the shared buffers that are in use, once. */
export function postgresMemory(dataDir: string): number {
  const processes = postgresProcesses(dataDir)
  const shared = Math.max(...processes.map(pid => memoryOf(pid, 'RssShmem')))
  return processes.reduce((sum, pid) => sum + memoryOf(pid, 'RssAnon'), shared)
}
