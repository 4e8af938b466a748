// The signature of a person before and after a profile change.
import type { Content, Person } from '@signoff/render'
import { referencesOf } from '#features/content/content/index.ts'
import { findChangedValues, visibleTo } from '#features/people/teammates/index.ts'
import type { RenderContext } from '#features/signatures/live-signatures/index.ts'
import { candidatesFor, choose, newMail } from '#features/signatures/recipients/index.ts'
import { findSignature } from '#features/signatures/signatures/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { renderAsSent, type SizedPreview } from '../render.ts'

interface ChangeComparison {
  readonly email_id: string | null
  readonly signature_id: string | null
  readonly before: SizedPreview | null
  readonly after: SizedPreview | null
}

interface ShownSignature {
  readonly id: string
  readonly content: Content
}

/** The published signature that an address gets for new mail; null when it gets none. */
async function signatureAt(db: Db, workspaceId: string, emailId: string): Promise<ShownSignature | null> {
  const { signature } = choose(await candidatesFor(db, workspaceId, emailId), newMail)
  const stored = signature && (await findSignature(db, workspaceId, signature.signature_id))
  return stored?.content ? { id: stored.id, content: stored.content } : null
}

/** Both pictures have today's signature and values, apart from the value of the change. */
export async function compareChange(
  db: Db,
  context: RenderContext,
  by: Caller,
  id: string,
): Promise<ChangeComparison> {
  const { workspaceId } = context
  const change = orNotFound(await findChangedValues(db, workspaceId, id, visibleTo(by)))
  const { email_id: emailId, smart_field_id: field, current, after } = change
  const signature = emailId && (await signatureAt(db, workspaceId, emailId))
  if (!signature) return { email_id: emailId, signature_id: null, before: null, after: null }
  const { id: signatureId, content } = signature
  const references = referencesOf(content)
  const renderWith = (values: Person) =>
    renderAsSent(db, context, { content, references, signatureId, emailId, campaign: undefined, values })
  return {
    email_id: emailId,
    signature_id: signatureId,
    before: await renderWith({ [field]: current }),
    after: await renderWith({ [field]: after }),
  }
}
