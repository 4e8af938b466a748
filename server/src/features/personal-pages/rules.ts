// Who is behind the address of a page, and what they get to see.

import { tokenPattern, workspaceIn, workspacePart } from '#features/assets/index.ts'
import { type ToCopy, toCopy } from '#features/installations/index.ts'
import { drawLiveOne, type Place } from '#features/live-signatures/index.ts'
import { candidatesFor, choose } from '#features/recipients/index.ts'
import { hasPersonalPage } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { operator } from '#kernel/scopes.ts'
import { addressOf, ensurePage, type Owner, ownerOf, type PageRow } from './queries.ts'

/** As the API shows it. */
export const shownPage = (
  { workspaceId, publicUrl }: Pick<Place, 'workspaceId' | 'publicUrl'>,
  { id, token, created_at }: PageRow,
) => ({
  email_id: id,
  url: `${publicUrl}/p/${workspacePart(workspaceId)}/${token}`,
  created_at,
})

/** Where the owner of an address finds the signature; no `url` where the workspace has no pages. Undefined when it is gone. */
export async function pageAddress(
  db: Db,
  place: Place,
  emailId: string,
): Promise<{ readonly address: string; readonly url: string | null } | undefined> {
  const address = await addressOf(db, place.workspaceId, emailId)
  const page = await ensurePage(db, operator(place.workspaceId), emailId)
  if (address === undefined || !page) return undefined
  const isOn = await hasPersonalPage(db, place.workspaceId)
  return { address, url: isOn ? shownPage(place, page).url : null }
}

/** A link that leads nowhere is given to nobody. */
export async function refuseWithoutPage(db: Db, workspaceId: string, publicUrl: string): Promise<void> {
  if (await hasPersonalPage(db, workspaceId)) return
  const message = 'Personal pages are switched off; switch them on first.'
  throw apiError('installation_unavailable', {
    message,
    remediation: { action: 'connect_integration', dashboard_url: publicUrl, message },
  })
}

export interface Visit {
  readonly place: Place
  readonly owner: Owner
}

/** Whatever is wrong with an address, it just leads nowhere. */
export async function visit(
  db: Db,
  place: Omit<Place, 'workspaceId'>,
  workspace: string,
  token: string,
): Promise<Visit | undefined> {
  const workspaceId = workspaceIn(workspace)
  if (workspaceId === undefined || !tokenPattern.test(token)) return undefined
  const owner = await ownerOf(db, workspaceId, token)
  return owner && { place: { ...place, workspaceId }, owner }
}

export interface Copyable {
  readonly html: string
  readonly text: string
}

export interface Shown {
  readonly address: string
  /** Null when no signature reaches the address. */
  readonly newMail: ToCopy | null
  /** Null when replies carry the same; `none` when they carry no signature. */
  readonly reply: Copyable | 'none' | null
}

export async function shownTo(db: Db, { place, owner }: Visit): Promise<Shown> {
  const newMail = await toCopy(db, place, owner.email_id)
  const reply = newMail && (await replyOf(db, place, owner.email_id))
  return { address: owner.address, newMail, reply }
}

async function replyOf(db: Db, place: Place, emailId: string): Promise<Shown['reply']> {
  const candidates = await candidatesFor(db, place.workspaceId, emailId)
  const { signature, variant, isHidden } = choose(candidates, { isReply: true, isInternal: false })
  if (!signature || !variant) return null
  if (isHidden) return 'none'
  return (await drawLiveOne(db, place, { emailId, signatureId: signature.signature_id, variant })) ?? null
}
