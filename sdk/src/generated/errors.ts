// Generated from the route table: `npm run generate` writes it.
import { SignoffError } from '../errors.ts'

export type ErrorCode =
  | "malformed_json"
  | "missing_api_key"
  | "invalid_api_key"
  | "expired_api_key"
  | "missing_session"
  | "session_expired"
  | "invalid_credentials"
  | "invalid_access_token"
  | "cross_origin"
  | "second_factor_required"
  | "recent_sign_in_required"
  | "sso_required"
  | "unverified_account"
  | "sso_refused"
  | "own_sign_in_required"
  | "foreign_address"
  | "insufficient_scope"
  | "insufficient_role"
  | "own_request"
  | "origin_not_allowed"
  | "plan_upgrade_required"
  | "not_found"
  | "route_not_found"
  | "method_not_allowed"
  | "directory_managed"
  | "owner"
  | "second_factor_exists"
  | "last_way_in"
  | "already_member"
  | "folder_not_empty"
  | "smart_field_in_use"
  | "primary_email"
  | "campaign_state"
  | "variants_unavailable"
  | "variant_not_created"
  | "already_decided"
  | "installation_unavailable"
  | "installed_by_client"
  | "no_signature_to_install"
  | "import_state"
  | "deactivations_not_confirmed"
  | "sync_already_running"
  | "no_integration_to_sync"
  | "integration_access_lost"
  | "idempotency_conflict"
  | "request_timeout"
  | "stale_resource"
  | "payload_too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "too_many_attempts"
  | "internal_error"
  | "preview_unavailable"
  | "unavailable"
  | "blank"
  | "missing"
  | "invalid"
  | "invalid_type"
  | "not_allowed"
  | "unknown_property"
  | "taken"
  | "duplicate"
  | "too_long"
  | "too_short"
  | "out_of_range"
  | "too_many"
  | "too_deep"
  | "unknown_reference"
  | "not_editable"
  | "not_a_recipient"
  | "weak_password"
  | "leaked_password"
  | "nothing_to_show"

export interface ErrorBody {
  error: { type: "invalid_request" | "authentication_error" | "permission_error" | "not_found" | "conflict" | "validation_error" | "rate_limit_error" | "api_error"; code: string; message: string }
  /** Names every wrong field. The code of the error is that of the first of them. */
  details?: { field: string; code: "blank" | "missing" | "invalid" | "invalid_type" | "not_allowed" | "unknown_property" | "taken" | "duplicate" | "too_long" | "too_short" | "out_of_range" | "too_many" | "too_deep" | "unknown_reference" | "not_editable" | "not_a_recipient" | "weak_password" | "leaked_password" | "nothing_to_show"; message: string; allowed?: unknown[] | undefined; missing?: string[] | undefined }[] | undefined
  /** What a person can do about it, and where. */
  remediation?: { action: "connect_integration" | "manage_in_dashboard" | "upgrade_plan"; dashboard_url: string; message: string } | undefined
}

export class InvalidRequestError extends SignoffError {}
export class AuthenticationError extends SignoffError {}
export class PermissionError extends SignoffError {}
export class NotFoundError extends SignoffError {}
export class ConflictError extends SignoffError {}
export class ValidationError extends SignoffError {}
export class RateLimitError extends SignoffError {}
export class ApiError extends SignoffError {}

export const errorClasses = {
  invalid_request: InvalidRequestError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  not_found: NotFoundError,
  conflict: ConflictError,
  validation_error: ValidationError,
  rate_limit_error: RateLimitError,
  api_error: ApiError,
}

export type ErrorType = keyof typeof errorClasses
