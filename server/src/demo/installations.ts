// What the directory of the demo did with the mailboxes: most signatures arrived, some wait, some were refused, and some
// were changed by their owners.
import {
  type DriftCode,
  driftCodes,
  insertPastInstallations,
  type PastInstallation,
} from '#features/delivery/installations/index.ts'
import { hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import { type DemoPerson, peopleOf } from './events.ts'
import { liveSignatures } from './signatures.ts'

type Result = Pick<PastInstallation, 'status' | 'errorCode' | 'errorMessage'>

const installed: Result = { status: 'installed', errorCode: null, errorMessage: null }
const waiting: Result = { status: 'pending', errorCode: null, errorMessage: null }
const failure = (errorCode: string, errorMessage: string): Result => ({
  status: 'failed',
  errorCode,
  errorMessage,
})
const noMailbox = failure('user_not_found', 'Google answered 400: Mail service not enabled')

const drift = (errorCode: DriftCode): Result => ({
  status: 'drifted',
  errorCode,
  errorMessage: driftCodes[errorCode],
})

/** By the place of the person in the list. */
const exceptions: ReadonlyMap<number, Result> = new Map([
  [4, noMailbox],
  [11, failure('forbidden', 'Google answered 403: Delegation denied for this user')],
  [19, noMailbox],
  [27, failure('signature_too_long', 'Google answered 400: The signature exceeds the maximum length')],
  [33, failure('user_not_found', 'Google answered 404: Requested entity was not found.')],
  [14, drift('changed')],
  [30, drift('removed')],
  [8, waiting],
  [23, waiting],
  [41, waiting],
])

function* pastInstallations(
  people: readonly DemoPerson[],
  live: Awaited<ReturnType<typeof liveSignatures>>,
  integrationId: string,
): Generator<PastInstallation> {
  for (const [n, { email_id: emailId }] of people.entries()) {
    const signatureId = live.get(emailId)?.signature_id
    if (signatureId === undefined) continue
    const result = exceptions.get(n) ?? installed
    const age = result === waiting ? 0.1 : 6 + n * 5
    const at = new Date(Date.now() - age * hour)
    yield { signatureId, emailId, integrationId, channel: 'google_workspace', at, ...result }
  }
}

/** Once, for a directory that was just connected. */
export async function fillInstallations(db: Db, workspaceId: string, integrationId: string): Promise<void> {
  const people = await peopleOf(db, workspaceId)
  const live = await liveSignatures(
    db,
    workspaceId,
    people.map(({ email_id }) => email_id),
  )
  const rows = [...pastInstallations(people, live, integrationId)]
  if (rows.length > 0) await db.query(insertPastInstallations(workspaceId, rows))
}
