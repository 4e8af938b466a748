// Errors as RFC 7644, section 3.12, writes them: for everything under /scim/v2, also what the kernel refuses.
import { ApiError } from '#kernel/base/errors.ts'

type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** 400, or 409 for `uniqueness`. */
export class ScimError extends ApiError {
  readonly scimType: ScimType

  constructor(scimType: ScimType, message: string) {
    super('validation', { message, ...(scimType === 'uniqueness' && { isConflict: true as const }) })
    this.scimType = scimType
  }
}

const scimErrorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

function scimTypeOf(error: ApiError): ScimType | undefined {
  if (error instanceof ScimError) return error.scimType
  if (error.code === 'malformed_json') return 'invalidSyntax'
  return error.status === 422 ? 'invalidValue' : undefined
}

export const failureBody = (status: number, detail: string, scimType?: ScimType): object => ({
  schemas: [scimErrorSchema],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
})

/** SCIM has no 422. */
function format(error: ApiError): { readonly status: number; readonly body: object } {
  const status = error.status === 422 ? 400 : error.status
  return { status, body: failureBody(status, error.message, scimTypeOf(error)) }
}

export const scimFormat = { path: '/scim/v2', contentType: 'application/scim+json; charset=utf-8', format }
