// The contact data of a person: which smart field is which property of the contact card.
import { type Person, safeUrl } from '@signoff/render'
import { type BuiltInField, builtInFields, type SmartField } from '#features/workspace/smart-fields/index.ts'
import { withoutDirectionMarks } from '#kernel/db/text.ts'

/** There is no built-in field for the website: the first custom field of kind `url` with one of these keys is used. */
const websiteKeys: ReadonlySet<string> = new Set([
  'website',
  'web_site',
  'company_website',
  'homepage',
  'web',
  'site',
  'url',
])

/** Values without line breaks. Empty texts are properties that the card does not have. */
export type Contact = Readonly<Record<Exclude<BuiltInField['key'], 'profile_picture'> | 'website', string>>

/**
 * Other custom fields stay out: their values can be meant for colleagues, and the card is public. `companyWebsite` is
 * for people without a website of their own.
 */
export function contactOf(
  person: Person,
  fields: readonly SmartField[],
  companyWebsite: string | null,
): Contact {
  const textOf = (field: SmartField | undefined): string =>
    field ? oneLine(person[field.id] ?? '') || oneLine(field.fallback ?? '') : ''
  const builtIn = (key: string): string => textOf(fields.find(field => field.default && field.key === key))
  const website = fields.find(field => field.kind === 'url' && websiteKeys.has(field.key))
  const values = Object.fromEntries(
    builtInFields.filter(({ kind }) => kind !== 'image').map(({ key }) => [key, builtIn(key)]),
  ) as Contact
  return {
    ...values,
    calendar_link: webAddress(values.calendar_link),
    website: webAddress(textOf(website)) || webAddress(oneLine(companyWebsite ?? '')),
  }
}

/** A line break inside a value would begin a new property of the card, so each one becomes a space. */
const oneLine = (text: string): string =>
  withoutDirectionMarks(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

const webAddress = (text: string): string => {
  const url = text === '' ? null : safeUrl(text)
  return url !== null && /^https?:/.test(url) && !/\s/.test(url) ? url : ''
}

export const fullNameOf = ({ first_name, last_name, email }: Contact): string =>
  [first_name, last_name].filter(name => name !== '').join(' ') || email
