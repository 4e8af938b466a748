import { Type } from 'typebox'
import { type Answer, publicRoute, type RequestClient, type Route } from '#kernel/routes.ts'
import { createRequestCounter, type RequestSource, type TrackingDeps } from './rules.ts'

/** One transparent point, in 43 bytes. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const seen: Answer = {
  status: 200,
  body: gif,
  headers: {
    'content-type': 'image/gif',
    'cache-control': 'no-store',
    // Webmail may show pictures of others only when they say so.
    'cross-origin-resource-policy': 'cross-origin',
  },
}

const ahead = /prefetch|prerender|preview/i
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

const visitorOf = ({ method, address: ip, userAgent, headers }: RequestClient): RequestSource => ({
  method,
  ip,
  userAgent,
  isSameOrigin: headers['sec-fetch-site'] === 'same-origin',
  isPrefetch: purposes.some(name => headers[name] !== undefined && ahead.test(String(headers[name]))),
})

/** What mails ask for that were sent, for as long as somebody reads them. */
export function trackingRoutes(counting: TrackingDeps): readonly Route[] {
  const { view, click } = createRequestCounter(counting)
  const Gif = Type.Unsafe<never>({ type: 'string', contentMediaType: 'image/gif' })
  return [
    {
      ...publicRoute(
        '/o/{token}',
        'The picture that counts a view',
        { 200: Gif },
        async ({ db, params: { token = '' }, client }) => {
          await view(db, token, visitorOf(client))
          return seen
        },
      ),
      isFrequent: true,
    },
    {
      ...publicRoute(
        '/c/{token}',
        'Count a click and go where the link leads',
        { 302: null },
        async ({ db, params: { token = '' }, client }) => ({
          status: 302,
          body: '',
          headers: {
            location: await click(db, token, visitorOf(client)),
            'cache-control': 'no-store',
            // The page learns of the click by its id, not of the address of the mail's link.
            'referrer-policy': 'no-referrer',
            'x-robots-tag': 'noindex',
          },
        }),
      ),
      isFrequent: true,
    },
  ]
}
