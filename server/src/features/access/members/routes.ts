import { Type } from 'typebox'
import {
  findMemberById,
  listMembers,
  type MemberView,
  memberSorts,
} from '#features/workspace/accounts/index.ts'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type Answer,
  created,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import {
  type ChangedMember,
  changeMember,
  type Invited,
  inviteMember,
  type MemberDeps,
  makeOwner,
  removeMember,
  resendInvitation,
} from './rules.ts'
import { InvitedMember, Member, MemberInput, MemberPatch } from './schemas.ts'

/** The properties that the ETag covers: neither the link of the invitation, nor what using the service changes. */
const versionOf = ({ invitation_url: _, last_seen_at: __, ...rest }: Invited): object => rest

const answerOf = (member: MemberView) => ok(member, versionOf(member))

const changedAnswer = ({ member, cookie }: ChangedMember): Answer => ({
  ...answerOf(member),
  ...(cookie !== null && { cookies: [cookie] }),
})

/** `onChange` clears the caches of the authenticators in this process. */
export const memberRoutes = (deps: MemberDeps, onChange: () => void): readonly Route[] => [
  ...readRoutes,
  ...invitingRoutes(deps),
  route({
    name: 'members.update',
    method: 'PATCH',
    path: '/v1/members/{id}',
    access: 'members:write',
    summary: 'Change the role or the name of a member',
    description:
      'Changes the role of a member, or the name that colleagues see. Sessions and API keys of the member follow the new role within five seconds, and the member is told by mail; a caller who changes the own role by a session gets a new cookie. No caller gives a role above its own or changes a member above its own role; the role of the owner changes only by `make_owner` (409 `owner`).',
    body: maybeWrappedBody('member', MemberPatch),
    errors: ['owner'],
    answers: { 200: dataOf(Member) },
    async handle({ db, by, params, body }) {
      const changed = await changeMember(db, by, params.id, body, deps)
      onChange()
      return changedAnswer(changed)
    },
  }),
  route({
    name: 'members.delete',
    method: 'DELETE',
    path: '/v1/members/{id}',
    access: 'members:delete',
    summary: 'Remove a member; sessions end and keys are refused within 5 seconds',
    description:
      'Removes a member, or withdraws an invitation. Every process ends the sessions and refuses the API keys of the member within five seconds; secrets of other keys that this member rotated end too. What the member made stays, and the audit log goes on naming the member. The owner cannot be removed (409 `owner`).',
    errors: ['owner'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await removeMember(db, by, params.id, deps)
      onChange()
      return noContent()
    },
  }),
  route({
    name: 'members.makeOwner',
    method: 'POST',
    path: '/v1/members/{id}/make_owner',
    access: 'members:write',
    summary: 'Make another member the owner',
    description:
      'Makes this member the owner of the workspace; the old owner becomes an admin. Only the owner can do it, with a session or an API key that has all scopes. The sessions of the new owner end, and the browser of the old one gets a new cookie. A member who could not sign in as the owner, for example because the invitation is not accepted yet, is refused with 409 `last_way_in`. A session by single sign-on needs a connection that is trusted with the owner: else 403 `own_sign_in_required`.',
    errors: ['last_way_in', 'own_sign_in_required'],
    answers: { 200: dataOf(Member) },
    async handle({ db, by, params }) {
      const changed = await makeOwner(db, by, params.id, deps)
      onChange()
      return changedAnswer(changed)
    },
  }),
]

const readRoutes: readonly Route[] = [
  route({
    name: 'members.list',
    method: 'GET',
    path: '/v1/members',
    access: 'members:read',
    summary: 'List members',
    description:
      'The people who can sign in to this workspace, newest first: role, whether the invitation was accepted, and when they were last seen. Members administer the workspace; teammates are the people whose mail gets signatures.',
    query: Type.Object({ ...pageQuery, ...sortQuery(memberSorts) }),
    answers: { 200: pageOf(Member) },
    handle: async ({ db, by, query }) => list(await listMembers(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'members.get',
    method: 'GET',
    path: '/v1/members/{id}',
    access: 'members:read',
    summary: 'Read a member',
    description:
      'One member with role and status. `status` is `invited` until the person has accepted the invitation. `last_seen_at` is not part of the version in the `ETag`. A member of another workspace, or a removed one, gives 404.',
    answers: { 200: dataOf(Member) },
    handle: async ({ db, by, params }) =>
      answerOf(orNotFound(await findMemberById(db, by.workspaceId, params.id))),
  }),
]

const invitingRoutes = (deps: MemberDeps): readonly Route[] => [
  route({
    name: 'members.create',
    method: 'POST',
    path: '/v1/members',
    access: 'members:write',
    summary: 'Invite a member',
    description:
      'Invites a person by mail; the link works once, for seven days. Without a mail server the answer holds `invitation_url`, this once: pass it on yourself. The role is never above that of the caller, and an API key gives no role with scopes that the key lacks. An address that is a member, or was invited already, is answered with 409 `already_member`.',
    secret: true,
    body: maybeWrappedBody('member', MemberInput),
    errors: ['already_member'],
    answers: { 201: dataOf(InvitedMember) },
    async handle({ db, by, body }) {
      const member = await inviteMember(db, by, body, deps)
      return created(member, `/v1/members/${member.id}`, versionOf(member))
    },
  }),
  route({
    name: 'members.resend',
    method: 'POST',
    path: '/v1/members/{id}/resend',
    access: 'members:write',
    summary: 'Send the invitation again, with a new link',
    description:
      'Sends a new invitation that works for seven days; the link of the earlier one stops working. Without a mail server the answer holds `invitation_url`, this once. A member who has accepted already is answered with 409 `already_member`.',
    secret: true,
    errors: ['already_member'],
    answers: { 200: dataOf(InvitedMember) },
    handle: async ({ db, by, params }) => answerOf(await resendInvitation(db, by, params.id, deps)),
  }),
]
