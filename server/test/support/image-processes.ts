// The image processes of a service, as Linux tells of them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Of a process that has just ended, nothing. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** State, parent and process group; the name before them may hold blanks. */
function statOf(pid: number): { readonly parent: number; readonly group: number } {
  const [, parent, group] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return { parent: Number(parent), group: Number(group) }
}

export const isAlive = (pid: number): boolean => read(`/proc/${pid}/cmdline`) !== ''
export const groupOf = (pid: number): number => statOf(pid).group

export const imageProcesses = (of: number = process.pid): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => statOf(pid).parent === of && read(`/proc/${pid}/cmdline`).includes('image-process.ts'))

/** Ends those that wait for work, and waits until their end is known to this process. */
export async function endImageProcesses(): Promise<void> {
  const ended = imageProcesses()
  for (const pid of ended) process.kill(pid, 'SIGKILL')
  await expect.poll(() => ended.some(pid => existsSync(`/proc/${pid}`))).toBe(false)
}
