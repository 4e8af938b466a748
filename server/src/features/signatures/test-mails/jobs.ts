import type { Job } from '#kernel/jobs.ts'

/** The draft as it was when the mail was asked for. */
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
