// Which processes share their numbers with this one: those of the same machine since it started, and of the same container.
import { hash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Linux tells; elsewhere the name of the machine has to do. */
function told(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

export const machineId = hash(
  'sha256',
  JSON.stringify([
    hostname(),
    told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    told(() => readlinkSync('/proc/self/ns/pid')),
  ]),
).slice(0, 16)

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
