// The query of the audit log, and the filters that it means.
import { type Static, Type } from 'typebox'
import { DayOrInstant, readMoment, Text, Uuid, uuid } from '#kernel/api/validation.ts'
import { day } from '#kernel/base/durations.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { EntryFilters } from './queries.ts'

export const entryFilterQuery = {
  action: Type.Optional(Text(200, { description: 'Only this action, for example `folder.created`.' })),
  resource: Type.Optional(
    Text(200, { description: 'Only entries about resources of this type (`folder`), or with this id.' }),
  ),
  resource_id: Type.Optional(Uuid({ description: 'Only the entries about this resource.' })),
  member_id: Type.Optional(Uuid({ description: 'Only what this member did.' })),
  api_key_id: Type.Optional(Uuid({ description: 'Only what was done with this API key.' })),
  since: Type.Optional(
    DayOrInstant({ maxLength: 40, description: 'A day (`2026-11-01`, in UTC) or an instant; included.' }),
  ),
  until: Type.Optional(
    DayOrInstant({ maxLength: 40, description: 'A day (included) or an instant (excluded).' }),
  ),
}

const Query = Type.Object(entryFilterQuery)

function resourceOf(text: string | undefined, id: string | undefined): EntryFilters {
  const isId = text !== undefined && uuid.test(text)
  const resourceId = id ?? (isId ? text.toLowerCase() : undefined)
  if (isId && text.toLowerCase() !== resourceId)
    throw invalid('resource', 'invalid', { message: 'resource and resource_id name two resources' })
  return {
    ...(resourceId !== undefined && { resourceId }),
    ...(text !== undefined && !isId && { resourceType: text }),
  }
}

/** A day includes all of its entries, at both ends. */
function rangeOf(since: string | undefined, until: string | undefined): EntryFilters {
  const [start, end] = [since, until].map(text => (text === undefined ? undefined : readMoment(text)))
  const to = end && new Date(end.at.getTime() + (end.isDay ? day : 0))
  if (start && to && start.at > to)
    throw invalid('until', 'out_of_range', { message: 'until is before since' })
  return { ...(start && { since: start.at }), ...(to && { until: to }) }
}

export function entryFiltersOf(query: Static<typeof Query>): EntryFilters {
  const { action, resource, resource_id, member_id: memberId, api_key_id: apiKeyId, since, until } = query
  return {
    ...(action !== undefined && { action }),
    ...resourceOf(resource, resource_id),
    ...(memberId !== undefined && { memberId }),
    ...(apiKeyId !== undefined && { apiKeyId }),
    ...rangeOf(since, until),
  }
}
