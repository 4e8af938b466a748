// Finds the image processes of a service through /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Empty when the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Parent and process group. The name before them in the file can contain blanks, so it is cut off first. */
function statOf(pid: number): { readonly parent: number; readonly group: number } {
  const [, parent, group] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return { parent: Number(parent), group: Number(group) }
}

export const isAlive = (pid: number): boolean => read(`/proc/${pid}/cmdline`) !== ''
export const groupOf = (pid: number): number => statOf(pid).group

export const imageProcesses = (parentPid: number = process.pid): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(
      pid => statOf(pid).parent === parentPid && read(`/proc/${pid}/cmdline`).includes('image-process.ts'),
    )

/** Kills the image processes of this process, and waits until the kernel has removed them. */
export async function endImageProcesses(): Promise<void> {
  const ended = imageProcesses()
  for (const pid of ended) process.kill(pid, 'SIGKILL')
  await expect.poll(() => ended.some(pid => existsSync(`/proc/${pid}`))).toBe(false)
}
