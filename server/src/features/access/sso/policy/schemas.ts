import { type Static, Type } from 'typebox'
import { NullableTimestamp } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

const fields = {
  sso_required: Type.Boolean({
    description:
      'Members can use the workspace only after single sign-on. API keys go on working, and the operator can always let the owner in.',
  }),
  second_factor_required: Type.Boolean({
    description:
      'Members must give a second factor, unless they come by single sign-on, whose provider takes care of it.',
  }),
}

export const WorkspaceSignInPolicy = NamedObject('SignInPolicy', {
  ...fields,
  updated_at: NullableTimestamp(),
})

export const SignInPolicyPatch = Type.Partial(Type.Object(fields), {
  title: 'SignInPolicyPatch',
  additionalProperties: false,
})
export type SignInPolicyPatch = Static<typeof SignInPolicyPatch>
