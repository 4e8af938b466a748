// The signatures of the demo, each from another template. Four are live; the last one is a draft.

import { draftFromTemplate } from '#features/content/templates/index.ts'
import { candidatesForMany, changeRules, choose, newMail } from '#features/signatures/recipients/index.ts'
import {
  changeSignature,
  changeVariant,
  createSignature,
  hasSignatureNamed,
  publishSignature,
  publishVariant,
  signaturePriorities,
  type VariantKind,
} from '#features/signatures/signatures/index.ts'
import { findFolderByName } from '#features/workspace/folders/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import { companyName } from './people.ts'

type Rules = Parameters<typeof changeRules>[3]

interface DemoSignature {
  readonly name: string
  readonly template_id: string
  readonly folder: string
  /** The lowest wins among the signatures that reach an address. */
  readonly priority: number
  /** Left out: the signature stays a draft. */
  readonly recipients?: Rules
  /** Templates of the variants. */
  readonly variants?: Readonly<Partial<Record<VariantKind, string>>>
}

export const standardName = 'Northbean standard'

const demoSignatures: readonly DemoSignature[] = [
  {
    name: standardName,
    template_id: 'corporate-classic',
    folder: 'Company-wide',
    priority: 40,
    recipients: { conditions: [[{ smart_field: 'company', values: [companyName] }]] },
    variants: { reply: 'reply-portrait', internal: 'internal-compact' },
  },
  {
    name: 'Sales with booking link',
    template_id: 'sales-meeting',
    folder: 'Sales',
    priority: 20,
    recipients: { conditions: [[{ smart_field: 'department', values: ['Sales'] }]] },
  },
  {
    name: 'Heads of department',
    template_id: 'corporate-executive',
    folder: 'Company-wide',
    priority: 10,
    recipients: {
      conditions: [[{ smart_field: 'job_title', operator: 'starts_with', values: ['Head of'] }]],
    },
  },
  {
    name: 'Marketing with campaign',
    template_id: 'sales-banner',
    folder: 'Company-wide',
    priority: 30,
    recipients: { conditions: [[{ smart_field: 'department', values: ['Marketing'] }]] },
  },
  { name: 'Winter redesign', template_id: 'creative-panel', folder: 'Archive', priority: 50 },
]
export const signatureNames: readonly string[] = demoSignatures.map(({ name }) => name)
export const liveNames: readonly string[] = demoSignatures
  .filter(({ recipients }) => recipients !== undefined)
  .map(({ name }) => name)

/** Idempotent: existing signatures stay as they are. */
export async function fillSignatures(db: Db, by: Caller, parts: Parts): Promise<void> {
  if (!(await hasSignatureNamed(db, by.workspaceId, standardName)))
    await db.transaction(tx => moveOthersBehind(tx, by, parts))
  for (const signature of demoSignatures)
    if (!(await hasSignatureNamed(db, by.workspaceId, signature.name)))
      await db.transaction(tx => createFromTemplate(tx, by, signature, parts))
}

const lastPriority = Math.max(...demoSignatures.map(({ priority }) => priority))
const maxPriority = 2 ** 31 - 1

/**
 * A signature for all people would otherwise hide those of the demo. The others keep their order, and reach the same
 * people: the signatures of the demo reach only the people of the demo.
 */
async function moveOthersBehind(tx: Db, by: Caller, { signatures: { onChange } }: Parts): Promise<void> {
  const others = await signaturePriorities(tx, by.workspaceId)
  const first = Math.min(...others.map(({ priority }) => priority))
  if (first > lastPriority) return
  for (const { id, priority } of others) {
    const moved = Math.min(priority - first + lastPriority + 1, maxPriority)
    await changeSignature(tx, by, id, { priority: moved }, onChange)
  }
}

async function createFromTemplate(
  tx: Db,
  by: Caller,
  { folder, recipients, variants = {}, ...input }: DemoSignature,
  { signatures: hooks, rendering }: Parts,
): Promise<void> {
  const { onChange } = hooks
  const folder_id = (await findFolderByName(tx, by.workspaceId, folder))?.id ?? null
  const { id } = await createSignature(tx, by, { ...input, folder_id })
  if (!recipients) return
  const deps = { ...rendering, onChange, variantsSupported: async () => true }
  await changeRules(tx, by, id, recipients, onChange)
  await publishSignature(tx, by, id, deps)
  for (const kind of ['reply', 'internal'] as const) {
    const template = variants[kind]
    const draft = template && (await draftFromTemplate(tx, by.workspaceId, template))
    if (!draft) continue
    const shortMail = { draft_content: draft, show_marketing_campaigns: false }
    await changeVariant(tx, by, id, kind, shortMail, deps)
    await publishVariant(tx, by, id, kind, deps)
  }
}

interface ChosenSignature {
  readonly signature_id: string
  readonly name: string
}

/** The signature that each address gets, by the id of the address. */
export async function liveSignatures(
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<ReadonlyMap<string, ChosenSignature>> {
  const candidates = await candidatesForMany(db, workspaceId, emailIds)
  return new Map(
    emailIds.flatMap(emailId => {
      const { signature } = choose(candidates.get(emailId) ?? [], newMail)
      return signature ? [[emailId, signature] as const] : []
    }),
  )
}
