// Renders content for the extremes of its recipients, instead of for all of them.
import {
  type Content,
  compile,
  maxHtmlLength,
  type Person,
  type RenderHooks,
  type Template,
} from '@signoff/render'
import { peopleAt, placeholders, referencesOf, surroundingsOf } from '#features/content/index.ts'
import type { SmartField } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/time-slice.ts'
import type { CheckInputs } from './problems.ts'
import { longestRecipients } from './queries.ts'

type RenderingInputs = Pick<
  CheckInputs,
  'blocks' | 'recipients' | 'fieldUses' | 'publicUrl' | 'isTracked'
> & {
  readonly workspaceId: string
  readonly signatureId: string
  readonly fields: readonly SmartField[]
}

/** As many characters as the token of a tracked link has. */
const sampleToken = 'x'.repeat(36)
const samplePicture = `https://example.com/files/${sampleToken}.png`

const trackedHooks = (publicUrl: string): RenderHooks => ({
  link: () => `${publicUrl}/c/${sampleToken}`,
  pixel: () => `${publicUrl}/o/${sampleToken}`,
})

export async function compileForCheck(
  db: Db,
  { workspaceId, publicUrl, fields }: Pick<RenderingInputs, 'workspaceId' | 'publicUrl' | 'fields'>,
  content: Content,
): Promise<Template> {
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, referencesOf(content))
  await yieldToEventLoop()
  return compile(content, surroundings)
}

/**
 * Whether no recipient would see anything. A marketing block counts as visible: a campaign can begin at any time. Values
 * are judged by their presence: with samples for the fields that at least one recipient has.
 */
export function isEmptyForAll(template: Template, inputs: RenderingInputs): boolean {
  const { blocks, fields, recipients, fieldUses } = inputs
  if (blocks.some(({ block }) => block.type === 'marketing')) return false
  const filled = fields.filter(({ id, computed }) => recipients === 0 || computed || fieldUses.has(id))
  return template.render(placeholders(filled, samplePicture)).html === ''
}

const sampleByKind: Readonly<Record<SmartField['kind'], (length: number) => string>> = {
  text: length => 'x'.repeat(length),
  url: length => `https://${'x'.repeat(length)}`,
  email: length => `${'x'.repeat(length)}@example.com`,
  phone: length => '5'.repeat(length),
  image: length => `https://example.com/${'x'.repeat(length)}`,
}
const maxAddressLength = 254

/** A person with the longest value of each field: nearly no recipient gets a longer HTML. */
const longestPerson = ({ fields, fieldUses }: RenderingInputs): Person =>
  Object.fromEntries(
    fields.map(({ id, kind, computed }) => {
      const length = computed ? maxAddressLength : (fieldUses.get(id)?.longest ?? 0)
      return [id, length === 0 ? null : sampleByKind[kind](length)]
    }),
  )

const sampledRecipients = 100

/**
 * Where the longest values together are too long, the recipients with the longest values are rendered. If all of those
 * get too much, or a recipient without values does, all recipients are counted.
 */
export async function lengthOf(
  db: Db,
  template: Template,
  inputs: RenderingInputs,
): Promise<CheckInputs['length']> {
  const { workspaceId, signatureId, fields, recipients, fieldUses, publicUrl, isTracked } = inputs
  const hooks = isTracked ? trackedHooks(publicUrl) : {}
  const lengthFor = (person: Person): number => template.render(person, hooks).html.length
  if (recipients === 0) return { longest: lengthFor(placeholders(fields, samplePicture)), tooLong: 0 }
  const bound = lengthFor(longestPerson(inputs))
  if (bound <= maxHtmlLength) return { longest: bound, tooLong: 0 }
  const fieldIds = [...fieldUses.keys()]
  const emailIds = await longestRecipients(db, workspaceId, signatureId, fieldIds, sampledRecipients)
  const people = await peopleAt(db, workspaceId, emailIds, fields)
  const lengths: number[] = []
  const slice = new TimeSlice()
  for (const { person } of people.values()) {
    await slice.pause()
    lengths.push(lengthFor(person))
  }
  const leastLength = lengthFor({})
  const tooLong = lengths.filter(length => length > maxHtmlLength).length
  const isAll = leastLength > maxHtmlLength || tooLong === sampledRecipients
  return { longest: Math.max(leastLength, ...lengths), tooLong: isAll ? recipients : tooLong }
}
