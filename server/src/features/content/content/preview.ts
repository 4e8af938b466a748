// Renders content for one person without storing anything.
import {
  type Content,
  type ContentReference,
  type Person,
  type Rendered,
  type RenderHooks,
  render,
} from '@signoff/render'
import type { ContactCards } from '#features/content/contact-cards/index.ts'
import { iconUrl } from '#features/content/icons/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { peopleAt, placeholders } from './person.ts'
import { surroundingsOf } from './rules.ts'

export interface DrawnPreview {
  readonly html: string
  readonly text: string
  readonly bytes: number
  readonly warnings: readonly {
    readonly code: string
    readonly message: string
    readonly id: string | null
  }[]
}

export const toPreview = ({
  html,
  text,
  warnings,
}: Pick<Rendered, 'html' | 'text' | 'warnings'>): DrawnPreview => ({
  html,
  text,
  bytes: Buffer.byteLength(html),
  // Where a colour is hard to read is for the editor; the message says it too.
  warnings: warnings.map(({ place: _, ...warning }) => warning),
})

interface PreviewSubject {
  readonly workspaceId: string
  readonly publicUrl: string
  readonly cards: ContactCards
  readonly content: Content
  readonly references: readonly ContentReference[]
  /** The address whose values are used; null for placeholders. */
  readonly emailId: string | null
  readonly fill?: RenderHooks
}

/** Undefined when the address does not exist. */
export async function renderPreview(db: Db, subject: PreviewSubject): Promise<DrawnPreview | undefined> {
  const { workspaceId, publicUrl, cards, content, references, emailId, fill } = subject
  const fields = await smartFieldsOf(db, workspaceId)
  const recipient =
    emailId === null
      ? { person: placeholderPerson(fields, publicUrl), number: null }
      : (await peopleAt(db, workspaceId, [emailId], fields)).get(emailId.toLowerCase())
  if (!recipient) return undefined
  const { person, number } = recipient
  const cardHooks = (await cards.of(db, workspaceId, fields)).hooksFor(number, person)
  const surroundings = await surroundingsOf(db, workspaceId, publicUrl, fields, references)
  await yieldToEventLoop()
  return toPreview(render(content, person, { ...surroundings, ...cardHooks, ...fill }))
}

/** For previews without an address. */
export const placeholderPerson = (fields: readonly SmartField[], publicUrl: string): Person =>
  placeholders(fields, iconUrl(publicUrl, portrait))

/** The placeholder for profile pictures. */
const portrait = {
  name: 'user',
  size: 128,
  color: '#ffffff',
  backgroundColor: '#98a2b3',
  shape: 'square',
} as const
