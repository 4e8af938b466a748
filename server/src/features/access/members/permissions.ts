// Who can give which role, and change which member.

import { allows, type Caller, expandGrants, isBelow, type Role, roleGrants } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'

/**
 * A caller gives no role above its own, and an API key no role with scopes that the key lacks: the new member could
 * sign in and do what the key cannot.
 */
export function checkCanGive(by: Caller, role: Role): void {
  checkAdministers(by)
  if (isBelow(by.role, role))
    throw apiError('insufficient_role', { message: `The role ${by.role} cannot give the role ${role}.` })
  const lacking = expandGrants(roleGrants[role]).find(scope => !allows(by.scopes, scope))
  if (by.apiKeyId !== null && lacking !== undefined)
    throw apiError('insufficient_scope', {
      message: `This API key lacks ${lacking}, which the role ${role} includes.`,
    })
}

function checkAdministers({ role }: Caller): void {
  if (!allows(roleGrants[role], 'members:write'))
    throw apiError('insufficient_role', { message: `The role ${role} does not include changes of members.` })
}

/** A caller changes no member above its own role: only the owner changes the owner. */
export function checkCanChange(by: Caller, target: Role): void {
  checkAdministers(by)
  if (isBelow(by.role, target))
    throw apiError('insufficient_role', {
      message: `The role ${by.role} cannot change a member with the role ${target}.`,
    })
}

export function checkIsOwner(by: Caller): void {
  if (by.role !== 'owner')
    throw apiError('insufficient_role', { message: 'Only the owner can make another member the owner.' })
}
