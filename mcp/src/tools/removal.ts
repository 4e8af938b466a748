// The tool that deletes. One for all kinds: a list of tools that an agent can survey is worth more than one for each.
import { invalidArguments } from '../failure.ts'
import { schemaOf } from '../schemas.ts'
import type { ToolDefinition } from '../tool.ts'

const kinds = {
  signature: 'signatures.delete',
  campaign: 'marketingCampaigns.delete',
  teammate: 'teammates.delete',
  email: 'emails.delete',
  smart_field: 'smartFields.delete',
  asset: 'assets.delete',
  folder: 'folders.delete',
} as const

const isKind = (value: unknown): value is keyof typeof kinds =>
  typeof value === 'string' && Object.hasOwn(kinds, value)

const remove: ToolDefinition = {
  name: 'delete',
  title: 'Delete',
  description:
    'Deletes one thing for good; it cannot be undone. Name it to the user and ask first, and delete only what the user named. A signature: its recipients fall to their next one (to take it out of use without deleting it, publish_signature with deactivate). A teammate: leaves deployment with all addresses. email: an alias. A smart field in use and a folder with signatures are refused (409).',
  effect: 'deletes',
  routes: Object.values(kinds),
  needs: 'any',
  input: () =>
    schemaOf({ kind: { type: 'string', enum: Object.keys(kinds) }, id: { type: 'string' } }, ['kind', 'id']),
  async run({ kind, id }, calls) {
    if (!isKind(kind))
      throw invalidArguments([
        {
          field: 'kind',
          code: 'not_allowed',
          message: 'kind is not one of the allowed values',
          allowed: Object.keys(kinds),
        },
      ])
    await calls.json(kinds[kind], { id })
    return { summary: `The ${kind.replace('_', ' ')} is deleted.`, answer: { deleted: true, kind, id } }
  },
}

export const removalTools: readonly ToolDefinition[] = [remove]
