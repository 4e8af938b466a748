// The font of the dashboard, for the pages that are no part of it. A page without it has the font of the system.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Type } from 'typebox'
import { publicRoute, type Route } from '#kernel/api/routes.ts'
import { apiError } from '#kernel/base/errors.ts'

function readFont(): Buffer | null {
  const folder = createRequire(import.meta.url).resolve.paths('@fontsource-variable/inter') ?? []
  const paths = folder.map(path => `${path}/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2`)
  const path = paths.find(existsSync)
  return path === undefined ? null : readFileSync(path)
}

const Woff2 = Type.Unsafe<never>({ type: 'string', contentMediaType: 'font/woff2' })

export function fontRoute(): Route {
  let font: Buffer | null | undefined
  return publicRoute('/page-font.woff2', 'The font of the pages', { 200: Woff2 }, async () => {
    font ??= readFont()
    if (!font) throw apiError('not_found')
    return {
      status: 200,
      body: font,
      headers: { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=86400' },
    }
  })
}
