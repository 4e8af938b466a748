// The complete list of errors that the API can answer. docs/build/errors.md lists the same codes; a test compares the two.

const entry = (status: number, type: string, message: string) => ({ status, type, message })

export const catalogue = {
  malformed_json: entry(400, 'invalid_request', 'The body is not valid JSON.'),
  missing_api_key: entry(401, 'authentication_error', 'Send an API key: `Authorization: Bearer <API_KEY>`.'),
  invalid_api_key: entry(401, 'authentication_error', 'This API key is not valid.'),
  expired_api_key: entry(401, 'authentication_error', 'This API key has expired.'),
  missing_session: entry(401, 'authentication_error', 'Sign in first: this needs a session, not an API key.'),
  session_expired: entry(401, 'authentication_error', 'The session has ended; sign in again.'),
  invalid_credentials: entry(401, 'authentication_error', 'The address or the password is wrong.'),
  invalid_access_token: entry(
    401,
    'authentication_error',
    'The access token of Microsoft is missing or not valid for this add-in.',
  ),
  cross_origin: entry(403, 'permission_error', 'A page of another origin has sent this request.'),
  second_factor_required: entry(403, 'permission_error', 'The second factor of this sign-in is missing.'),
  recent_sign_in_required: entry(
    403,
    'permission_error',
    'Sign in again: the last sign-in of this browser is more than 15 minutes ago.',
  ),
  sso_required: entry(403, 'permission_error', 'This workspace is open only by single sign-on.'),
  unverified_account: entry(
    403,
    'permission_error',
    'The address of this account is not verified yet, so it opens only the workspace that invited it first. Sign in by a link by mail, or ask the operator for `npx signoff accounts verify <email>`.',
  ),
  sso_refused: entry(403, 'permission_error', 'The sign-in through the identity provider was refused.'),
  own_sign_in_required: entry(
    403,
    'permission_error',
    'This session began by single sign-on. Sign in by a way of your own, such as a link by mail, to do this.',
  ),
  foreign_address: entry(403, 'permission_error', 'This address belongs to another person.'),
  insufficient_scope: entry(403, 'permission_error', 'This API key lacks the scope this request needs.'),
  insufficient_role: entry(
    403,
    'permission_error',
    'The role of the member behind this API key does not allow this.',
  ),
  own_request: entry(
    403,
    'permission_error',
    'Another owner or admin than the member who made this request has to decide about it.',
  ),
  origin_not_allowed: entry(403, 'permission_error', 'Requests with this Host or Origin are refused.'),
  plan_upgrade_required: entry(403, 'permission_error', 'The plan of this workspace does not include this.'),
  not_found: entry(404, 'not_found', 'There is no such thing in this workspace.'),
  route_not_found: entry(404, 'not_found', 'There is no such path.'),
  method_not_allowed: entry(405, 'invalid_request', 'This path does not take this method.'),
  directory_managed: entry(
    409,
    'conflict',
    'A directory manages the teammates of this workspace; change them there.',
  ),
  owner: entry(409, 'conflict', 'The owner of a workspace cannot be removed or changed like this.'),
  second_factor_exists: entry(409, 'conflict', 'The account has this second factor already.'),
  last_way_in: entry(409, 'conflict', 'This is the last way for the account to sign in.'),
  already_member: entry(409, 'conflict', 'This address belongs to a member already.'),
  folder_not_empty: entry(409, 'conflict', 'This folder still holds signatures.'),
  smart_field_in_use: entry(409, 'conflict', 'This smart field is in use.'),
  primary_email: entry(409, 'conflict', 'This is the primary address; make another one the primary first.'),
  campaign_state: entry(409, 'conflict', 'The campaign is not in a state that allows this.'),
  variants_unavailable: entry(409, 'conflict', 'No connected channel can tell the kinds of mail apart.'),
  variant_not_created: entry(409, 'conflict', 'This variant does not exist yet.'),
  already_decided: entry(409, 'conflict', 'This request is not pending any more.'),
  installation_unavailable: entry(409, 'conflict', 'No channel is connected that could install signatures.'),
  installed_by_client: entry(409, 'conflict', 'This address fetches its signature itself.'),
  no_signature_to_install: entry(409, 'conflict', 'There is no published signature to install.'),
  import_state: entry(409, 'conflict', 'The import is not in a state that allows this.'),
  deactivations_not_confirmed: entry(
    409,
    'conflict',
    'More people would become inactive than an import does without a confirmation.',
  ),
  sync_already_running: entry(409, 'conflict', 'A sync of the directory is already running.'),
  no_integration_to_sync: entry(409, 'conflict', 'No directory is connected.'),
  integration_access_lost: entry(
    409,
    'conflict',
    'The connected directory refuses access; connect it again.',
  ),
  idempotency_conflict: entry(409, 'conflict', 'This Idempotency-Key was used for another request.'),
  request_timeout: entry(408, 'invalid_request', 'The request took too long to arrive.'),
  // A publication request whose draft has changed is answered with 409: see `staleConflict`.
  stale_resource: entry(
    412,
    'invalid_request',
    'The resource has changed since the version that this request is about.',
  ),
  payload_too_large: entry(413, 'invalid_request', 'The body is too large.'),
  unsupported_media_type: entry(415, 'invalid_request', 'Send the body as `Content-Type: application/json`.'),
  validation: entry(422, 'validation_error', 'The request is not valid.'),
  rate_limited: entry(429, 'rate_limit_error', 'Too many requests; try again later.'),
  too_many_attempts: entry(429, 'rate_limit_error', 'Too many wrong attempts; try again later.'),
  internal_error: entry(500, 'api_error', 'Something went wrong on our side.'),
  preview_unavailable: entry(
    501,
    'api_error',
    'There is no browser on this machine that could draw a picture.',
  ),
  unavailable: entry(503, 'api_error', 'The service cannot answer right now; try again shortly.'),
} as const

/** `validation` is never sent: the code of a 422 is that of its first detail. */
export type ErrorCode = Exclude<keyof typeof catalogue, 'validation'>

export const detailCodes = {
  blank: 'must not be blank',
  missing: 'is required',
  invalid: 'is not valid',
  invalid_type: 'has the wrong type',
  not_allowed: 'is not one of the allowed values',
  unknown_property: 'is not a known property',
  taken: 'is already taken',
  duplicate: 'occurs more than once',
  too_long: 'is too long',
  too_short: 'is too short',
  out_of_range: 'is out of range',
  too_many: 'has too many items',
  too_deep: 'is nested too deeply',
  unknown_reference: 'refers to something that does not exist in this workspace',
  not_editable: 'is not editable by its owner',
  not_a_recipient: 'does not receive this signature',
  weak_password: 'must have at least 12 characters, and not consist of the name or the address',
  leaked_password: 'is among the passwords that attackers try first; choose another one',
  nothing_to_show: 'shows nothing to any recipient; send "force": true to publish it anyway',
} as const

export type DetailCode = keyof typeof detailCodes

/** The codes that a route can answer. */
export type RouteError = ErrorCode | DetailCode

export const isDetailCode = (code: string): code is DetailCode => Object.hasOwn(detailCodes, code)

export interface Detail {
  readonly field: string
  readonly code: DetailCode
  readonly message: string
  readonly allowed?: readonly unknown[]
  readonly missing?: readonly string[]
}

export interface Remediation {
  readonly action: 'connect_integration' | 'manage_in_dashboard' | 'upgrade_plan'
  readonly dashboard_url: string
  readonly message: string
}

/** Entry of every 409 in the catalogue. */
export const conflict = { status: 409, type: 'conflict' } as const

interface Extras {
  /** 409 instead of the status of the catalogue. */
  readonly isConflict?: true
  readonly message?: string
  readonly details?: readonly Detail[]
  readonly remediation?: Remediation
  readonly headers?: Readonly<Record<string, string>>
}

export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly details: readonly Detail[] | undefined
  readonly remediation: Remediation | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(name: keyof typeof catalogue, extras: Extras = {}) {
    const { status, type, message } = extras.isConflict
      ? { ...catalogue[name], ...conflict }
      : catalogue[name]
    super(extras.message ?? message)
    this.status = status
    this.type = type
    this.code = name === 'validation' ? (extras.details?.[0]?.code ?? 'invalid') : name
    this.details = extras.details
    this.remediation = extras.remediation
    this.headers = extras.headers ?? {}
  }

  envelope(): object {
    return {
      error: { type: this.type, code: this.code, message: this.message },
      ...(this.details && { details: this.details }),
      ...(this.remediation && { remediation: this.remediation }),
    }
  }
}

export const apiError = (code: ErrorCode, extras?: Extras): ApiError => new ApiError(code, extras)

/** The version that a request names by its id, and not by If-Match, is outdated. */
export const staleConflict = (message: string): ApiError =>
  apiError('stale_resource', { isConflict: true, message })

/** An hour: only a restart with the setting helps, and clients that retry by themselves give up at once. */
export const noMailServer = (): ApiError =>
  apiError('unavailable', {
    message: 'No mail server is configured: set SIGNOFF_SMTP_URL.',
    headers: { 'Retry-After': '3600' },
  })

export const detail = (
  field: string,
  code: DetailCode,
  more: Partial<Pick<Detail, 'message' | 'allowed' | 'missing'>> = {},
): Detail => ({ field, code, message: `${field} ${detailCodes[code]}`, ...more })

/** Lists at most 50 problems, as the contract says. */
export function validationError(details: readonly Detail[]): ApiError {
  const listed = details.slice(0, 50)
  const [first] = listed
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new ApiError('validation', { details: listed, ...(first && { message: `${first.message}${rest}` }) })
}

export const invalid = (...args: Parameters<typeof detail>): ApiError => validationError([detail(...args)])

/** The validation problems that `check` throws, so that the caller can collect them. Other errors are thrown. */
export async function problemsThrownBy(check: () => Promise<unknown>): Promise<readonly Detail[]> {
  try {
    await check()
    return []
  } catch (error) {
    if (error instanceof ApiError && error.details) return error.details
    throw error
  }
}

export function orNotFound<T>(row: T | undefined): T {
  if (row === undefined) throw apiError('not_found')
  return row
}

/** The operating system has refused something: no space, no permission, no such file. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

/** A fault that the operator of the service can correct: printed as one line, without a stack. */
export class OperatorError extends Error {}
