// Who is behind the address of a page, and what they get to see.

import { decodeWorkspaceId, encodeWorkspaceId, tokenPattern } from '#features/assets/index.ts'
import { type CopyableSignature, copyableSignature } from '#features/installations/index.ts'
import { type RenderContext, renderOne } from '#features/live-signatures/index.ts'
import { candidatesFor, choose } from '#features/recipients/index.ts'
import { hasPersonalPage } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { operator } from '#kernel/scopes.ts'
import { emailAddressOf, ensurePage, type Owner, ownerOf, type PageRow } from './queries.ts'

/** As the API shows it. */
export const pageAsJson = (
  { workspaceId, publicUrl }: Pick<RenderContext, 'workspaceId' | 'publicUrl'>,
  { id, token, created_at }: PageRow,
) => ({
  email_id: id,
  url: `${publicUrl}/p/${encodeWorkspaceId(workspaceId)}/${token}`,
  created_at,
})

/** Where the owner of an address finds the signature; no `url` where the workspace has no pages. Undefined when it is gone. */
export async function pageAddress(
  db: Db,
  place: RenderContext,
  emailId: string,
): Promise<{ readonly address: string; readonly url: string | null } | undefined> {
  const address = await emailAddressOf(db, place.workspaceId, emailId)
  const page = await ensurePage(db, operator(place.workspaceId), emailId)
  if (address === undefined || !page) return undefined
  const isOn = await hasPersonalPage(db, place.workspaceId)
  return { address, url: isOn ? pageAsJson(place, page).url : null }
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

export interface PageVisit {
  readonly place: RenderContext
  readonly owner: Owner
}

/** Whatever is wrong with an address, it just leads nowhere. */
export async function openPage(
  db: Db,
  place: Omit<RenderContext, 'workspaceId'>,
  workspace: string,
  token: string,
): Promise<PageVisit | undefined> {
  const workspaceId = decodeWorkspaceId(workspace)
  if (workspaceId === undefined || !tokenPattern.test(token)) return undefined
  const owner = await ownerOf(db, workspaceId, token)
  return owner && { place: { ...place, workspaceId }, owner }
}

export interface CopyableVariant {
  readonly html: string
  readonly text: string
}

export interface PageContent {
  readonly address: string
  /** Null when no signature reaches the address. */
  readonly newMail: CopyableSignature | null
  /** Null when replies carry the same; `none` when they carry no signature. */
  readonly reply: CopyableVariant | 'none' | null
}

export async function pageContentFor(db: Db, { place, owner }: PageVisit): Promise<PageContent> {
  const newMail = await copyableSignature(db, place, owner.email_id)
  const reply = newMail && (await replyOf(db, place, owner.email_id))
  return { address: owner.address, newMail, reply }
}

async function replyOf(db: Db, place: RenderContext, emailId: string): Promise<PageContent['reply']> {
  const candidates = await candidatesFor(db, place.workspaceId, emailId)
  const { signature, variant, isHidden } = choose(candidates, { isReply: true, isInternal: false })
  if (!signature || !variant) return null
  if (isHidden) return 'none'
  return (await renderOne(db, place, { emailId, signatureId: signature.signature_id, variant })) ?? null
}
