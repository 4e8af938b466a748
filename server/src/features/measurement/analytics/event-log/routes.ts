import { Type } from 'typebox'
import { ignoredProperty } from '#kernel/api/ignored.ts'
import { Pagination, pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { Csv, csv, jsonText, list, type Route, route } from '#kernel/api/routes.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { exportEvents } from './export.ts'
import { listEvents, listVisitors } from './queries.ts'
import { eventFilterOf, readSummary } from './rules.ts'
import { eventQuery, groupings, RecordedEvent, SummaryRow, SummaryTotals, Visitor } from './schemas.ts'

export const eventLogRoutes: readonly Route[] = [
  route({
    name: 'analytics.events.list',
    method: 'GET',
    path: '/v1/analytics/events',
    access: 'analytics:read',
    summary: 'List recorded events; views and clicks when asked for by name',
    description:
      'Recorded events, newest first, with what they are attributed to. Views and clicks are listed only with `name=$view` or `name=$click`.',
    query: Type.Object({ ...eventQuery, ...pageQuery }),
    answers: { 200: pageOf(RecordedEvent) },
    handle: async ({ db, by, query }) =>
      list(await listEvents(db, query, eventFilterOf(by.workspaceId, query))),
  }),
  route({
    name: 'analytics.events.summary',
    method: 'GET',
    path: '/v1/analytics/events/summary',
    access: 'analytics:read',
    summary: 'Count recorded events and add up their values',
    description:
      'How often your own events happened and the sum of their values, grouped by name, signature, campaign, person, link, country, currency or user.',
    query: Type.Object({ ...eventQuery, ...pageQuery, group_by: OneOf(groupings, { default: 'name' }) }),
    answers: {
      200: ClosedObject({
        data: Type.Array(SummaryRow),
        totals: SummaryTotals,
        pagination: Pagination,
        ...ignoredProperty,
      }),
    },
    async handle({ db, by, query }) {
      return jsonText(JSON.stringify(await readSummary(db, by.workspaceId, query)))
    },
  }),
  route({
    name: 'analytics.visitors.list',
    method: 'GET',
    path: '/v1/analytics/visitors',
    access: 'analytics:read',
    summary: 'List who was behind recorded events',
    description:
      'The people or browsers behind recorded events, with their traits, the number and value of their events and the time of the first and the last one. The filters are those of the list of events.',
    query: Type.Object({ ...eventQuery, ...pageQuery }),
    answers: { 200: pageOf(Visitor) },
    handle: async ({ db, by, query }) =>
      list(await listVisitors(db, query, eventFilterOf(by.workspaceId, query))),
  }),
  route({
    name: 'analytics.export',
    method: 'GET',
    path: '/v1/analytics/export',
    access: 'analytics:read',
    summary: 'All events as CSV, views and clicks included',
    description:
      'All events of the period as CSV, views and clicks included, newest first. The last columns have the names of signatures, campaigns, people and links beside their ids. The table is streamed, so it can have any length. Use it to load the data into another system; the filters are those of the list of events.',
    query: Type.Object(eventQuery),
    errors: ['out_of_range'],
    answers: { 200: Csv },
    handle: async ({ db, by, query }) =>
      csv(await exportEvents(db, eventFilterOf(by.workspaceId, query, null)), 'events.csv'),
  }),
]
