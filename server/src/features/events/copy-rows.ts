// Events as rows of COPY's text format.
import type { NewEvent } from './event.ts'

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/
const everySpecial = /[\\\t\n\r]/g

const field = (text: string | null | undefined): string => {
  if (text === null || text === undefined) return '\\N'
  return special.test(text) ? text.replace(everySpecial, character => escapes[character] ?? '') : text
}

/** In the order of the columns in `copyEvents`. */
export const copyRow = (event: NewEvent): string => {
  const { value, properties } = event
  return `${event.workspaceId}\t${event.recordedAt.toISOString()}\t${event.id}\t${field(event.name)}\t${event.outcome}\t${field(event.clickId)}\t${field(event.signatureId)}\t${field(event.campaignId)}\t${field(event.campaignVariant)}\t${field(event.teammateId)}\t${field(event.emailId)}\t${field(event.anchorId)}\t${field(event.country)}\t${value === null || value === undefined ? '\\N' : value}\t${field(event.currency)}\t${field(event.distinctId)}\t${field(event.anonymousId)}\t${properties ? field(JSON.stringify(properties)) : '\\N'}\n`
}
