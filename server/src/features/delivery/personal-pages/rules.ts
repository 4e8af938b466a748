// Resolves the address of a page to its owner, and collects the content of the page.

import { type CopyableSignature, copyableSignature } from '#features/delivery/installations/index.ts'
import { isForeignTo } from '#features/people/teammates/index.ts'
import { type RenderContext, renderOne } from '#features/signatures/live-signatures/index.ts'
import { candidatesFor, choose } from '#features/signatures/recipients/index.ts'
import { hasPersonalPage } from '#features/workspace/workspaces/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import { decodeWorkspaceId, encodeWorkspaceId, tokenPattern } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  addressesOfOwner,
  emailAddressOf,
  ensurePage,
  ownerOf,
  type PageOwner,
  type PageRow,
  primaryEmailOf,
} from './queries.ts'

/** The page as the API returns it. */
export const pageAsJson = (
  { workspaceId, publicUrl }: Pick<RenderContext, 'workspaceId' | 'publicUrl'>,
  { id, token, created_at, expires_at }: PageRow,
) => ({
  email_id: id,
  url: `${publicUrl}/p/${encodeWorkspaceId(workspaceId)}/${token}`,
  created_at,
  expires_at,
})

/**
 * The personal page of an address. `url` is null while personal pages are switched off. Undefined when the address was
 * deleted.
 */
export async function pageAddress(
  db: Db,
  context: RenderContext,
  emailId: string,
): Promise<{ readonly address: string; readonly url: string | null } | undefined> {
  const address = await emailAddressOf(db, context.workspaceId, emailId)
  const page = await ensurePage(db, operator(context.workspaceId), emailId)
  if (address === undefined || !page) return undefined
  const isOn = await hasPersonalPage(db, context.workspaceId)
  return { address, url: isOn ? pageAsJson(context, page).url : null }
}

/** The page of the primary address; null when pages are switched off, or the teammate was deleted. */
export async function pageOfTeammate(
  db: Db,
  context: RenderContext,
  teammateId: string,
): Promise<string | null> {
  const emailId = await primaryEmailOf(db, context.workspaceId, teammateId)
  const page = emailId === undefined ? undefined : await pageAddress(db, context, emailId)
  return page?.url ?? null
}

/**
 * The owner of a personal page, who has no account: what a member can change of their own values. The link proves less
 * than a sign-in, so this caller never has another role.
 */
export const pageOwnerCaller = (
  workspaceId: string,
  address: string,
  requestId: string | null = null,
): Caller => ({
  ...operator(workspaceId),
  role: 'member',
  memberAccess: 'own',
  memberEmail: address,
  requestId,
  via: 'personal_page',
})

/** Throws while personal pages are switched off: the API must not hand out a link that answers 404. */
export async function refuseWithoutPage(db: Db, workspaceId: string, publicUrl: string): Promise<void> {
  if (await hasPersonalPage(db, workspaceId)) return
  const message = 'Personal pages are switched off; switch them on first.'
  throw apiError('installation_unavailable', {
    message,
    remediation: { action: 'connect_integration', dashboard_url: `${publicUrl}/settings/workspace`, message },
  })
}

/** Members get the links of their own pages: the link of another page would let them change that person's values. */
export async function refuseForeignPage(db: Db, by: Caller, emailId: string): Promise<void> {
  const addresses = await addressesOfOwner(db, by.workspaceId, emailId)
  if (addresses.length === 0) throw apiError('not_found')
  if (isForeignTo(by, addresses))
    throw apiError('insufficient_role', {
      message: 'The role member includes the personal pages of your own addresses only.',
    })
}

export interface PageVisit {
  readonly context: RenderContext
  readonly owner: PageOwner
}

/** Undefined for every kind of wrong address, so the caller answers 404 without a reason. */
export async function openPage(
  db: Db,
  context: Omit<RenderContext, 'workspaceId'>,
  workspace: string,
  token: string,
): Promise<PageVisit | undefined> {
  const workspaceId = decodeWorkspaceId(workspace)
  if (workspaceId === undefined || !tokenPattern.test(token)) return undefined
  const owner = await ownerOf(db, workspaceId, token)
  return owner && { context: { ...context, workspaceId }, owner }
}

export interface CopyableVariant {
  readonly html: string
  readonly text: string
}

export interface PageContent {
  readonly address: string
  /** Null when the address has no signature. */
  readonly newMail: CopyableSignature | null
  /** Null when replies get the same signature; `none` when they get no signature. */
  readonly reply: CopyableVariant | 'none' | null
}

export async function pageContentFor(db: Db, { context: place, owner }: PageVisit): Promise<PageContent> {
  const newMail = await copyableSignature(db, place, owner.email_id)
  const reply = newMail && (await replyOf(db, place, owner.email_id))
  return { address: owner.address, newMail, reply }
}

async function replyOf(db: Db, context: RenderContext, emailId: string): Promise<PageContent['reply']> {
  const candidates = await candidatesFor(db, context.workspaceId, emailId)
  const { signature, variant, isHidden } = choose(candidates, { isReply: true, isInternal: false })
  if (!signature || !variant) return null
  if (isHidden) return 'none'
  return (await renderOne(db, context, { emailId, signatureId: signature.signature_id, variant })) ?? null
}
