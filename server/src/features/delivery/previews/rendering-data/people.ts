// The values that the renderer gets for a person, for clients that run the renderer themselves.
import type { Person } from '@signoff/render'
import type { Static } from 'typebox'
import { parsePortrait } from '#features/content/assets/index.ts'
import { peopleAt, placeholderPerson } from '#features/content/content/index.ts'
import { runningBanners } from '#features/signatures/campaigns/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { findLongestAddress, findLongestValues } from './queries.ts'
import type { PersonQuery, PersonValue, RenderedPerson } from './schemas.ts'

interface PersonContext {
  readonly workspaceId: string
  readonly publicUrl: string
}

export async function renderedPerson(
  db: Db,
  context: PersonContext,
  { email_id, sample, signature_id: signatureId }: PersonQuery,
): Promise<Static<typeof RenderedPerson>> {
  if (email_id !== undefined && sample !== undefined)
    throw invalid('sample', 'invalid', { message: 'sample cannot be sent together with email_id' })
  const { workspaceId, publicUrl } = context
  const fields = await smartFieldsOf(db, workspaceId)
  const emailId = email_id?.toLowerCase() ?? null
  const recipient =
    emailId === null
      ? { address: null, person: await samplePerson(db, context, fields, sample) }
      : orNotFound((await peopleAt(db, workspaceId, [emailId], fields)).get(emailId))
  const { address, person } = recipient
  const running = await runningBanners(db, workspaceId, {
    emailId,
    signatureId: signatureId?.toLowerCase() ?? null,
    person: emailId === null ? null : person,
  })
  return {
    email_id: emailId,
    address,
    values: fields.map(field => renderedValue(field, person[field.id] ?? null)),
    running_campaigns: [...running],
    own_address: publicUrl,
  }
}

/** The text of a portrait holds the secret that signs its addresses: it must not leave the service. */
function renderedValue({ id, kind }: SmartField, value: string | null): Static<typeof PersonValue> {
  const isPortrait = kind === 'image' && value !== null && parsePortrait(value, '') !== undefined
  return {
    smart_field_id: id,
    value: isPortrait || value === '' ? null : value,
    has_picture: kind === 'image' && value !== null && value !== '',
  }
}

async function samplePerson(
  db: Db,
  { workspaceId, publicUrl }: PersonContext,
  fields: readonly SmartField[],
  sample: PersonQuery['sample'],
): Promise<Person> {
  const placeholders = placeholderPerson(fields, publicUrl)
  if (sample !== 'longest') return placeholders
  const stored = fields.filter(({ kind, computed }) => kind !== 'image' && !computed).map(({ id }) => id)
  const longest = new Map(
    (await findLongestValues(db, workspaceId, stored)).map(({ smart_field_id: id, value }) => [id, value]),
  )
  const address = await findLongestAddress(db, workspaceId)
  return Object.fromEntries(
    fields.map(({ id, kind, computed }) => {
      if (kind === 'image') return [id, placeholders[id]]
      return [id, (computed ? address : longest.get(id)) ?? null]
    }),
  )
}
