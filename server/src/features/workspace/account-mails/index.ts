export { accountMailJobs, createAccountMails } from './jobs.ts'
export type { AccountMail, AccountMailData, AccountMailKind, EnqueueAccountMail } from './kinds.ts'
export { resealAccountMail, sealedAccountMails } from './queries.ts'
