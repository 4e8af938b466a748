// Renders content for the extremes of its recipients, instead of for all of them.
import {
  type Content,
  compile,
  maxHtmlLength,
  type Person,
  type RenderHooks,
  type Template,
} from '@signoff/render'
import { peopleAt, placeholders, referencesOf, surroundingsOf } from '#features/content/content/index.ts'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { TimeSlice, yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { withTimeLimit } from '#kernel/db/time-limit.ts'
import type { CheckInputs } from './problems.ts'
import { type CountedRecipients, fieldsInUse, longestRecipients } from './queries.ts'

type RenderingInputs = Pick<CheckInputs, 'blocks' | 'values' | 'publicUrl' | 'isTracked'> &
  CountedRecipients & {
    readonly fields: readonly SmartField[]
    /** The smart fields that the content refers to. */
    readonly usedFields: readonly string[]
  }

/** A statement about the values of recipients can take this long. Then the check goes on without its answer. */
export const valuesMilliseconds = 4_000

/** A text as long as the token of a tracked link. */
const sampleToken = 'x'.repeat(36)
const samplePicture = `https://example.com/files/${sampleToken}.png`

const trackedHooks = (publicUrl: string): RenderHooks => ({
  link: () => `${publicUrl}/c/${sampleToken}`,
  pixel: () => `${publicUrl}/o/${sampleToken}`,
})

/** Every recipient has a contact card. */
const cardHooks: RenderHooks = { vcard: () => samplePicture, qrUrl: () => samplePicture }

/** Text as readers see it: blanks and invisible characters are none. */
const visibleCharacter = /[^\s\p{Cf}]/u

/** Lines, spaces and backgrounds alone are nothing to see. */
function showsAnything(html: string): boolean {
  if (html.includes('<img')) return true
  return visibleCharacter.test(html.replace(/<[^<>]*>/g, '').replaceAll('&nbsp;', ''))
}

/** The ids of blocks and tokens that link to the web for a recipient with all values. */
export const webLinksOf = (template: Template, fields: readonly SmartField[]): ReadonlySet<string> =>
  new Set(template.render(placeholders(fields, samplePicture), cardHooks).anchors.map(({ id }) => id))

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
 * True if no recipient would see anything. A marketing block counts as visible: a campaign can begin at any time. Values
 * are judged by their presence: with samples for the fields that at least one recipient has. Where not all recipients
 * were counted, another statement looks for values of the other fields: this error refuses a publish, so it is never a
 * guess.
 */
export async function isEmptyForAll(db: Db, template: Template, inputs: RenderingInputs): Promise<boolean> {
  const { blocks, fields, recipients, values, usedFields } = inputs
  if (blocks.some(({ block }) => block.type === 'marketing')) return false
  const isEmptyWith = (ids: ReadonlySet<string>): boolean => {
    const filled = fields.filter(({ id, computed }) => recipients === 0 || computed || ids.has(id))
    return !showsAnything(template.render(placeholders(filled, samplePicture), cardHooks).html)
  }
  const present = new Set(values.byField.keys())
  if (!isEmptyWith(present)) return false
  if (values.counted >= recipients || isEmptyWith(new Set(usedFields))) return true
  if (values.counted === 0) return false
  const others = usedFields.filter(id => !present.has(id))
  const inUse = await withTimeLimit(db, valuesMilliseconds, tx => fieldsInUse(tx, inputs, others))
  return inUse !== undefined && isEmptyWith(new Set([...present, ...inUse]))
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
const longestPerson = ({ fields, values }: RenderingInputs): Person =>
  Object.fromEntries(
    fields.map(({ id, kind, computed }) => {
      const length = computed ? maxAddressLength : (values.byField.get(id)?.longest ?? 0)
      return [id, length === 0 ? null : sampleByKind[kind](length)]
    }),
  )

const sampledRecipients = 100

/**
 * The largest length, and the number of recipients above the limit. If the longest values together are too long, the
 * recipients with the longest values are rendered. If all of those get too much, or a recipient without values does,
 * all recipients count.
 */
export async function lengthOf(
  db: Db,
  template: Template,
  inputs: RenderingInputs,
): Promise<CheckInputs['length']> {
  const { workspaceId, fields, recipients, values, publicUrl, isTracked } = inputs
  const hooks = isTracked ? trackedHooks(publicUrl) : {}
  const lengthFor = (person: Person): number => template.render(person, hooks).html.length
  if (recipients === 0) return { longest: lengthFor(placeholders(fields, samplePicture)), tooLong: 0 }
  const bound = lengthFor(longestPerson(inputs))
  if (bound <= maxHtmlLength) return { longest: bound, tooLong: 0 }
  const fieldIds = [...values.byField.keys()]
  const emailIds = await withTimeLimit(db, valuesMilliseconds, tx =>
    longestRecipients(tx, inputs, fieldIds, sampledRecipients),
  )
  const people = await peopleAt(db, workspaceId, emailIds ?? [], fields)
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
