import { Type } from 'typebox'
import { type Answer, publicRoute, type RequestClient, type Route } from '#kernel/api/routes.ts'
import { createRequestCounter, type RequestSource, type TrackingDeps } from './rules.ts'

/** One transparent pixel, in 43 bytes. */
export const pixelGif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const pixelAnswer: Answer = {
  status: 200,
  body: pixelGif,
  headers: {
    'content-type': 'image/gif',
    'cache-control': 'no-store',
    // Some webmail pages can show pictures of another origin only with this header.
    'cross-origin-resource-policy': 'cross-origin',
  },
}

const prefetchPurpose = /prefetch|prerender|preview/i
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

const requestSourceOf = ({ method, address: ip, userAgent, headers }: RequestClient): RequestSource => ({
  method,
  ip,
  userAgent,
  isSameOrigin: headers['sec-fetch-site'] === 'same-origin',
  isPrefetch: purposeHeaders.some(
    name => headers[name] !== undefined && prefetchPurpose.test(String(headers[name])),
  ),
})

/** Sent mails contain these addresses, so the routes must work as long as the mails exist. */
export function trackingRoutes(deps: TrackingDeps): readonly Route[] {
  const { view, click } = createRequestCounter(deps)
  const Gif = Type.Unsafe<never>({ type: 'string', contentMediaType: 'image/gif' })
  return [
    {
      ...publicRoute(
        '/o/{token}',
        'The picture that counts a view',
        { 200: Gif },
        async ({ db, params: { token = '' }, client }) => {
          await view(db, token, requestSourceOf(client))
          return pixelAnswer
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
            location: await click(db, token, requestSourceOf(client)),
            'cache-control': 'no-store',
            // The target page gets the id of the click, but not the address of the tracked link.
            'referrer-policy': 'no-referrer',
            'x-robots-tag': 'noindex',
          },
        }),
      ),
      isFrequent: true,
    },
  ]
}
