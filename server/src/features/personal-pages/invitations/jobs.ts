// Invitations are noted and queued in one transaction, a batch at a time: a crash repeats nothing that was queued.
import type { Db } from '../../../kernel/db.ts'
import { enqueue, type Job } from '../../../kernel/jobs.ts'
import { addressOf, ensurePage } from '../queries.ts'
import { shownPage } from '../rules.ts'
import { inviteNext, type Published } from './queries.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

interface Round {
  readonly workspace_id: string
  readonly signature_id: string
  readonly version_number: number
}
interface Invitation {
  readonly workspace_id: string
  readonly email_id: string
}

const round = 'personal_pages.invite'
const mail = 'personal_pages.invitation'

export const queueInvitations = (workspaceId: string, { id, version_number }: Published) =>
  enqueue(round, { workspace_id: workspaceId, signature_id: id, version_number }, `${round} ${id}`)

const batch = 200

export const invitationJobs = (
  db: Db,
  publicUrl: string,
  send: (mail: Mail) => Promise<void>,
): readonly Job[] => [
  {
    name: round,
    async run(payload) {
      const { workspace_id, signature_id: id, version_number } = payload as Round
      for (let invited = batch; invited === batch; ) {
        invited = await db.transaction(async tx => {
          const next = await inviteNext(tx, workspace_id, { id, version_number }, batch)
          for (const { email_id } of next) await tx.query(enqueue(mail, { workspace_id, email_id }))
          return next.length
        })
      }
    },
  },
  {
    name: mail,
    async run(payload) {
      const { workspace_id: workspaceId, email_id } = payload as Invitation
      const to = await addressOf(db, workspaceId, email_id)
      const page = await ensurePage(db, workspaceId, email_id)
      if (!to || !page) return // gone meanwhile
      const { url } = shownPage({ workspaceId, publicUrl }, page)
      await send({ to, subject: 'Your email signature is ready', text: wordsOf(url) })
    },
  },
]

const wordsOf = (url: string): string => `Hello,

your email signature has been updated. Open your private page, copy the signature with one click, and paste it into your mail program; the page tells how:

${url}

The address is for you alone: please do not pass it on.
`
