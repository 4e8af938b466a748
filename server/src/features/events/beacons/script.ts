import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../../../kernel/routes.ts'

const body = readFileSync(join(import.meta.dirname, 'signoff.js'), 'utf8')

export const script: Answer = {
  status: 200,
  body,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    etag: `"${hash('sha1', body, 'base64url')}"`,
    // Pages load it often; a new version reaches them within the hour.
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  },
}
