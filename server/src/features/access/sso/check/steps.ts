// Checks a connection step by step, and says for each step what to do when it fails.

import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { type StoredConnection, storeCheck } from '../connections/queries.ts'
import { openSecret } from '../connections/rules.ts'
import type { SsoDeps } from '../deps.ts'
import { oidcSteps } from './oidc.ts'
import { samlSteps } from './saml.ts'

export interface CheckStep {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  readonly message: string
  readonly remedy: string | null
}

export interface ConnectionCheck {
  readonly ok: boolean
  readonly steps: readonly CheckStep[]
}

export async function checkConnection(connection: StoredConnection, deps: SsoDeps): Promise<ConnectionCheck> {
  const own =
    connection.kind === 'oidc'
      ? await oidcSteps(connection, await openSecret(connection, deps), deps)
      : await samlSteps(connection, deps)
  const steps = [...own, membershipStep(connection)]
  return { ok: steps.every(({ status }) => status !== 'failed'), steps }
}

/** Stores the outcome. A connection that has changed during the check is not a tested one. */
export async function recordCheck(
  db: Db,
  by: Caller,
  connection: StoredConnection,
  check: ConnectionCheck,
): Promise<ConnectionCheck> {
  if (await storeCheck(db, by, connection, check.ok)) return check
  const step: CheckStep = {
    name: 'unchanged',
    status: 'failed',
    message: 'The connection was changed or removed during the check.',
    remedy: 'Test it again.',
  }
  return { ok: false, steps: [...check.steps, step] }
}

/** Settings that are allowed, and seldom meant. */
function membershipStep({
  just_in_time,
  default_role,
  group_roles,
  allowed_domains,
}: StoredConnection): CheckStep {
  const name = 'members'
  if (just_in_time && default_role === null && group_roles.length === 0)
    return {
      name,
      status: 'warning',
      message: 'No person can become a member: there are neither group roles nor a default role.',
      remedy: 'Set default_role, or map groups to roles.',
    }
  const domains = allowed_domains.length === 0 ? 'any domain' : allowed_domains.join(', ')
  const join = just_in_time ? 'become members at their first sign-in' : 'must be members already'
  return { name, status: 'ok', message: `People of ${domains} ${join}.`, remedy: null }
}
