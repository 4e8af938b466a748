import { accepted, dataOf, type Route, route, wrappedBody } from '#kernel/api/routes.ts'
import { propertyProblems } from './property-limits.ts'
import type { EventRecorder } from './recording/recorder.ts'
import { recordSubmissions } from './rules.ts'
import { EventInput, EventReceipt } from './schemas.ts'

export interface EventDeps {
  readonly recorder: Pick<EventRecorder, 'submit'>
}

export const bodyLimit = 64 * 1024

export const eventRoutes = ({ recorder }: EventDeps): readonly Route[] => [
  route({
    name: 'analytics.events.record',
    method: 'POST',
    path: '/v1/analytics/events',
    access: 'analytics:write',
    summary: 'Record an event',
    description:
      'Records an event of your own, for example a sign-up or a purchase. With the `click_id` that a click on a signature appended to the address, the event is attributed to the signature, campaign, person and link for 30 days. `event_id` makes it safe to send an event again. An accepted event is stored durably and visible to the next request.',
    body: wrappedBody('event', EventInput, { problems: propertyProblems }),
    bodyLimit,
    unaudited: true,
    errors: ['too_deep', 'too_long', 'out_of_range'],
    answers: { 202: dataOf(EventReceipt) },
    async handle({ db, isAnswerInTransaction, by: { workspaceId }, body: input }) {
      const submissions = [{ workspaceId, input, source: 'api', outcome: 'counted' }] as const
      await (isAnswerInTransaction
        ? recordSubmissions(db, workspaceId, submissions)
        : recorder.submit(submissions))
      return accepted({
        name: input.name,
        value: input.value ?? null,
        currency: input.currency?.toUpperCase() ?? null,
        click_id: input.click_id ?? null,
        source: 'api',
        status: 'accepted',
      })
    },
  }),
]
