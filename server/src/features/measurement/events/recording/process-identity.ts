// Process ids mean something within one machine since its last boot, and within one container. `machineId` names that
// scope.
import { hash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Linux has these files; on other systems the host name has to be enough. */
function readOrEmpty(read: () => string): string {
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
    readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
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
