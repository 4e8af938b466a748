import { Type } from 'typebox'
import type { Answer } from '#kernel/api/routes.ts'

/** A document instead of JSON. */
export const Pdf = Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/pdf' })

export const pdf = (body: Buffer, filename: string): Answer => ({
  status: 200,
  body,
  headers: {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${filename}"`,
    // A script inside a file from elsewhere must not run on this origin, whatever a browser takes the file for.
    'x-content-type-options': 'nosniff',
  },
})
