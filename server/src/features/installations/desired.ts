// What should be in mailboxes, computed now: who gets which signature, and how it looks for them.
import { hash } from 'node:crypto'
import { type Content, compile, type Template } from '@signoff/render'
import type { Db } from '../../kernel/db.ts'
import { peopleAt, referencesOf, surroundingsOf } from '../content/index.ts'
import { candidatesForMany, choose, contentOf } from '../recipients/index.ts'
import { type SmartField, smartFieldsOf } from '../smart-fields/index.ts'

export interface Desired {
  readonly emailId: string
  readonly address: string
  readonly primaryAddress: string
  readonly signatureId: string
  readonly signatureName: string
  readonly html: string
  readonly text: string
  readonly sha256: string
}

export interface Place {
  readonly workspaceId: string
  readonly publicUrl: string
}

const newMail = { isReply: false, isInternal: false }

/** By address; those that get none are left out. */
export async function desiredFor(
  db: Db,
  { workspaceId, publicUrl }: Place,
  emailIds: readonly string[],
): Promise<Map<string, Desired>> {
  const candidates = await candidatesForMany(db, workspaceId, emailIds)
  if (candidates.length === 0) return new Map()
  const fields = await smartFieldsOf(db, workspaceId)
  const people = await peopleAt(db, workspaceId, emailIds, fields)
  const templates = new Map<string, Template | null>()
  const desired = new Map<string, Desired>()
  for (const [emailId, reaching] of Map.groupBy(candidates, one => one.email_id)) {
    const someone = people.get(emailId)
    const { signature } = choose(reaching, newMail)
    if (!someone || !signature) continue
    const { signature_id: signatureId, name: signatureName } = signature
    if (!templates.has(signatureId))
      templates.set(signatureId, await templateOf(db, { workspaceId, publicUrl }, fields, signatureId))
    const drawn = templates.get(signatureId)?.render(someone.person)
    if (!drawn) continue
    const { html, text } = drawn
    const sha256 = hash('sha256', html)
    desired.set(emailId, {
      emailId,
      address: someone.address,
      primaryAddress: someone.primaryAddress,
      signatureId,
      signatureName,
      html,
      text,
      sha256,
    })
  }
  return desired
}

async function templateOf(
  db: Db,
  { workspaceId, publicUrl }: Place,
  fields: readonly SmartField[],
  signatureId: string,
): Promise<Template | null> {
  const content = (await contentOf(db, workspaceId, signatureId, null)) as Content | null
  if (!content) return null
  const references = referencesOf(content)
  return compile(content, await surroundingsOf(db, workspaceId, publicUrl, fields, references))
}
