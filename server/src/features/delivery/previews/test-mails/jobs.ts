import type { Job } from '#kernel/db/jobs.ts'
import type { TestMail } from './compose.ts'

export const testMail = 'signatures.test_mail'

export const testMailJob = (send: (mail: TestMail) => Promise<void>): Job => ({
  name: testMail,
  run: payload => send(payload as TestMail),
})
