import type { Job } from '#kernel/jobs.ts'

/** The draft at the time of the request, rendered. */
export interface TestMail {
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

export const testMail = 'signatures.test_mail'

export const testMailJob = (send: (mail: TestMail) => Promise<void>): Job => ({
  name: testMail,
  run: payload => send(payload as TestMail),
})
