// Mails to accounts. They hold links that let their reader in, so their content is stored encrypted, in the transaction
// of the caller, and deleted when the mail is sent. A mail that was begun is never begun again: after a crash in between
// one mail can be missing, but none is sent twice.
import { findAccountByEmail, findMember, lastWorkspaceOf } from '#features/workspace/accounts/index.ts'
import { day } from '#kernel/base/durations.ts'
import { newRow } from '#kernel/base/ids.ts'
import {
  type MailContent,
  type MailContext,
  type Mailer,
  type MailLanguage,
  paragraph,
} from '#kernel/base/mail.ts'
import type { Db } from '#kernel/db/db.ts'
import { enqueueAhead, type Job } from '#kernel/db/jobs.ts'
import type {
  AccountMail,
  AccountMailKind,
  AccountMessages,
  EnqueueAccountMail,
  MailReader,
} from './kinds.ts'
import { germanMessages } from './messages-de.ts'
import { englishMessages } from './messages-en.ts'
import {
  claimAccountMail,
  deleteAccountMail,
  deleteAccountMailsBefore,
  insertAccountMail,
  releaseAccountMail,
  waitingAccountMail,
} from './queries.ts'

const mailJob = 'account_mails.mail'

const messagesIn: Readonly<Record<MailLanguage, AccountMessages>> = {
  en: englishMessages,
  de: germanMessages,
}

interface MailPayload {
  readonly id: string
}

interface SealedContent {
  readonly kind: AccountMailKind
  readonly mail: AccountMail
}

const moments = ['at', 'expiresAt']

const openContent = (json: string): SealedContent =>
  JSON.parse(json, (key, value) => (moments.includes(key) ? new Date(value) : value))

interface AccountMailDeps {
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
  readonly sealSecret: (secret: string, id: string) => Promise<Buffer>
}

export const createAccountMails =
  ({ sendsMail, sealSecret }: AccountMailDeps): EnqueueAccountMail =>
  async (tx, kind, mail) => {
    if (!sendsMail) return
    const { id, now } = newRow()
    const content: SealedContent = { kind, mail }
    await insertAccountMail(tx, id, await sealSecret(JSON.stringify(content), id), now)
    const payload: MailPayload = { id }
    // A person waits for the mail, and the link in it works for minutes.
    await tx.query(enqueueAhead(mailJob, payload))
  }

interface AccountMailJobDeps extends Mailer {
  readonly publicUrl: string
  readonly openSecret: (sealed: Buffer, id: string) => Promise<string>
}

/** The queue retries a job for about three days. */
const retentionMilliseconds = 7 * day

export const accountMailJobs = (db: Db, deps: AccountMailJobDeps): readonly Job[] => [
  {
    name: mailJob,
    run: payload => sendAccountMail(db, (payload as MailPayload).id, deps),
  },
  {
    name: 'account_mails.prune',
    schedule: '47 3 * * *',
    async run() {
      await deleteAccountMailsBefore(db, new Date(Date.now() - retentionMilliseconds))
    },
  },
]

/** The name of a company says more to its people than that of the software. */
async function workspaceOfReader(db: Db, email: string): Promise<string | null> {
  const account = await findAccountByEmail(db, email)
  return account ? lastWorkspaceOf(db, account.id) : null
}

const isOwnerOf = async (db: Db, workspaceId: string | null, email: string): Promise<boolean> =>
  workspaceId !== null && (await findMember(db, workspaceId, email))?.role === 'owner'

/** Returns the function that writes the mail in the language of its reader. */
const mailWriter =
  <Kind extends AccountMailKind>(
    kind: Kind,
    mail: AccountMail<Kind>,
    about: Pick<MailReader, 'publicUrl' | 'isOwner'>,
  ) =>
  (context: MailContext): MailContent => {
    const { greeting, kinds } = messagesIn[context.language]
    const name = context.nameOf(mail.name)
    const content = kinds[kind](mail.data, context, { ...about, to: mail.to, name })
    return { ...content, parts: [paragraph(greeting(name)), ...content.parts] }
  }

async function sendAccountMail(
  db: Db,
  id: string,
  { publicUrl, openSecret, compose, send, wasRefused }: AccountMailJobDeps,
): Promise<void> {
  const sealed = await waitingAccountMail(db, id)
  if (sealed) {
    const { kind, mail } = openContent(await openSecret(sealed, id))
    const isExpired = 'expiresAt' in mail.data && mail.data.expiresAt <= new Date()
    const { to, locale: language } = mail
    const workspaceId = mail.workspaceId ?? (await workspaceOfReader(db, to))
    const isOwner = await isOwnerOf(db, workspaceId, to)
    const write = mailWriter(kind, mail, { publicUrl, isOwner })
    const composed = isExpired ? null : await compose({ to, workspaceId, language, write })
    if (composed && (await claimAccountMail(db, id))) {
      try {
        await send(composed)
      } catch (error) {
        if (wasRefused(error)) await releaseAccountMail(db, id)
        throw error
      }
    }
  }
  await deleteAccountMail(db, id)
}
