import { Type } from 'typebox'
import { publicRoute, type Route } from '#kernel/api/routes.ts'
import { apiError } from '#kernel/base/errors.ts'
import { iconFile } from './drawing.ts'

const headers = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // Webmail shows the icon in a page of another origin.
  'cross-origin-resource-policy': 'cross-origin',
}

export const iconRoutes: readonly Route[] = [
  publicRoute(
    '/icons/{file}',
    'An icon of a signature',
    { 200: Type.String(), 304: null },
    async ({ params }) => {
      const { file = '' } = params
      const body = await iconFile(file)
      if (!body) throw apiError('not_found', { message: 'There is no such icon.' })
      return { status: 200, body, headers: { ...headers, etag: `"${file}"` } }
    },
  ),
]
