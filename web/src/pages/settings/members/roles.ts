import type { Me, Member, MemberInput } from '@signoff/sdk'

/** The roles that a member can be given; the owner is made in another way. */
export type GivenRole = MemberInput['role']

const order = ['owner', 'admin', 'manager', 'member'] as const

const isAtMost = (role: Member['role'], other: Member['role']): boolean =>
  order.indexOf(role) >= order.indexOf(other)

/** No caller gives a role above its own. */
export const rolesBelow = (own: Me['member']['role']): readonly GivenRole[] =>
  (['member', 'manager', 'admin'] as const).filter(role => isAtMost(role, own))

/** The owner is changed only by `make_owner`, and no caller changes a member above its own role. */
export const canChange = (member: Member, own: Me['member']['role']): boolean =>
  member.role !== 'owner' && isAtMost(member.role, own)
