// The signatures of the demo, each from another template. Four are live; the last one is a draft.
import type { Content } from '@signoff/render'
import { findFolderByName } from '#features/folders/index.ts'
import { candidatesForMany, changeRules, choose, newMail } from '#features/recipients/index.ts'
import {
  changeSignature,
  changeVariant,
  createSignature,
  hasSignatureNamed,
  publishSignature,
  publishVariant,
  type VariantKind,
} from '#features/signatures/index.ts'
import { draftFromTemplate } from '#features/templates/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
import type { Parts } from '#parts.ts'

type Rules = Parameters<typeof changeRules>[3]

interface DemoSignature {
  readonly name: string
  readonly template_id: string
  readonly folder: string
  /** Of the signatures that reach an address, the lowest wins. */
  readonly priority: number
  /** Left out: the signature stays a draft. */
  readonly recipients?: Rules
  /** Adds a place for campaigns to a template that has none. */
  readonly addsBanner?: true
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
    recipients: { everybody: true },
    addsBanner: true,
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

const withBanner = (content: Content | null): Content | null =>
  content && {
    ...content,
    children: [...(content.children ?? []), { type: 'marketing', displayName: 'Campaign banner' }],
  }

/** Idempotent: existing signatures stay as they are. */
export async function fillSignatures(db: Db, by: Caller, parts: Parts): Promise<void> {
  for (const signature of demoSignatures)
    if (!(await hasSignatureNamed(db, by.workspaceId, signature.name)))
      await db.transaction(tx => createFromTemplate(tx, by, signature, parts))
}

async function createFromTemplate(
  tx: Db,
  by: Caller,
  { folder, recipients, addsBanner, variants = {}, ...input }: DemoSignature,
  { signatures: hooks, rendering }: Parts,
): Promise<void> {
  const { onChange } = hooks
  const folder_id = (await findFolderByName(tx, by.workspaceId, folder))?.id ?? null
  const { id, draft_content } = await createSignature(tx, by, { ...input, folder_id })
  if (addsBanner) await changeSignature(tx, by, id, { draft_content: withBanner(draft_content) }, onChange)
  if (!recipients) return
  const deps = { ...rendering, onChange, variantsSupported: async () => true }
  await changeRules(tx, by, id, recipients, onChange)
  await publishSignature(tx, by, id, deps)
  for (const kind of ['reply', 'internal'] as const) {
    const template = variants[kind]
    const draft = template && (await draftFromTemplate(tx, by.workspaceId, template))
    if (!draft) continue
    await changeVariant(tx, by, id, kind, { draft_content: draft }, deps)
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
