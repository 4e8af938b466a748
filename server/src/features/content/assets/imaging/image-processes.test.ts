// What happens to an upload when its image process ends.
import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { endlessSvg, solidPicture, upload } from '#test/support/pictures.ts'
import {
  endImageProcesses,
  groupOf,
  imageProcesses,
  isAlive,
} from '#test/support/processes/image-processes.ts'

let app: TestApp
let png: Buffer
beforeAll(async () => {
  app = await testApp()
  png = await solidPicture(10, 10).png().toBuffer()
})
beforeEach(endImageProcesses)

/** The image process that works on a picture. The tests send one picture at a time, so there is only one process. */
async function busyProcess(parent?: number): Promise<number> {
  await expect.poll(() => imageProcesses(parent)).toHaveLength(1)
  return imageProcesses(parent)[0]!
}

describe('an image process', () => {
  it('that is killed from outside gives 503, and the file can be sent again', async () => {
    const headers = { 'idempotency-key': 'ended' }
    const first = upload(app, endlessSvg, {}, { headers })
    process.kill(await busyProcess(), 'SIGKILL')
    const { status, body, headers: responseHeaders } = await first
    expect([status, body.error.code, responseHeaders['retry-after']]).toEqual([503, 'unavailable', '2'])
    const second = upload(app, endlessSvg, {}, { headers })
    process.kill(await busyProcess(), 'SIGKILL')
    expect((await second).status).toBe(503) // processed again: the 503 was not stored for the Idempotency-Key
    expect((await upload(app, png)).status).toBe(201)
  })

  it('that ended while idle is not used again', async () => {
    expect((await upload(app, png)).status).toBe(201)
    const oldProcesses = imageProcesses()
    await endImageProcesses()
    expect((await upload(app, png)).status).toBe(201)
    expect(imageProcesses()).not.toEqual(oldProcesses)
  })

  it('ignores the stop signals of the service and runs in another process group', async () => {
    expect((await upload(app, png)).status).toBe(201)
    const [pid = 0] = imageProcesses()
    expect(groupOf(pid)).toBe(pid)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal)
    expect((await upload(app, png)).status).toBe(201)
    expect(imageProcesses()).toEqual([pid])
  })

  it('ends with its service, also during a job', async () => {
    const script = `import('./index.ts').then(({ readImage }) => readImage('', Buffer.from('${endlessSvg}'), 'bytes'))`
    const service = spawn(process.execPath, ['-e', script], { cwd: import.meta.dirname, stdio: 'ignore' })
    const pid = await busyProcess(service.pid)
    service.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('that cannot be started fails the request, not the service', async () => {
    const program = join(import.meta.dirname, '../../../../../test/support/processes/crowded-process.ts')
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      'ulimit -n 64; exec "$0" "$1"',
      process.execPath,
      program,
    ])
    expect(stdout.trim()).toBe('unavailable 2, image/png')
  })
})
