import { Type } from 'typebox'
import { canonicalDomain } from '#features/workspace/workspaces/index.ts'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { dataOf, list, ok, type Route, route } from '#kernel/api/routes.ts'
import { DayOrInstant, OneOf, readMoment, Text, Uuid } from '#kernel/api/validation.ts'
import { day } from '#kernel/base/durations.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import { findRelayMessage, listRelayMessages } from './queries.ts'
import { RelayMessage, relayOutcomes } from './schemas.ts'

/** A day includes all of its messages, at both ends. */
function momentIn(text: string | undefined, isEnd: boolean): Date | undefined {
  const moment = text === undefined ? undefined : readMoment(text)
  return moment && new Date(moment.at.getTime() + (moment.isDay && isEnd ? day : 0))
}

function domainIn(text: string | undefined): string | undefined {
  const domain = text === undefined ? undefined : canonicalDomain(text)
  if (text !== undefined && domain === undefined)
    throw invalid('domain', 'invalid', { message: 'domain must be a domain such as example.com' })
  return domain
}

const defined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

export const relayRoutes: readonly Route[] = [
  route({
    name: 'relayMessages.list',
    method: 'GET',
    path: '/v1/relay_messages',
    access: 'integrations:read',
    summary: 'List what the relay did with messages',
    description:
      'The messages of the last 7 days that came through the SMTP relays of this workspace, the newest first: what happened to each, and why. Nothing of a message is kept but its size, and of its addresses only the domains, unless `relay_addresses_enabled` of the workspace is on. Filter by `outcome=passed` to see what got no signature. A message shows up here within some seconds.',
    query: Type.Object({
      ...pageQuery,
      integration_id: Type.Optional(Uuid({ description: 'Only those of this relay.' })),
      outcome: Type.Optional(OneOf(relayOutcomes)),
      reason: Type.Optional(Text(60, { description: 'Only those with this reason, such as `encrypted`.' })),
      domain: Type.Optional(Text(253, { description: 'Only those from or to this domain.' })),
      since: Type.Optional(
        DayOrInstant({ maxLength: 40, description: 'A day (`2026-11-01`, in UTC) or an instant; included.' }),
      ),
      until: Type.Optional(
        DayOrInstant({ maxLength: 40, description: 'A day (included) or an instant (excluded).' }),
      ),
    }),
    errors: ['invalid'],
    answers: { 200: pageOf(RelayMessage) },
    async handle({ db, by, query }) {
      const { integration_id, outcome, reason, domain, since, until } = query
      const filters = defined({
        integration_id,
        outcome,
        reason,
        domain: domainIn(domain),
        since: momentIn(since, false),
        until: momentIn(until, true),
      })
      return list(await listRelayMessages(db, by.workspaceId, query, filters))
    },
  }),
  route({
    name: 'relayMessages.get',
    method: 'GET',
    path: '/v1/relay_messages/{id}',
    access: 'integrations:read',
    summary: 'Read what the relay did with a message',
    description:
      'One message that came through an SMTP relay of this workspace: its outcome, the reason, the answer that the sender got, and how long it took. Messages are kept here for 7 days; the mail itself is never stored.',
    answers: { 200: dataOf(RelayMessage) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findRelayMessage(db, by.workspaceId, params.id))),
  }),
]
