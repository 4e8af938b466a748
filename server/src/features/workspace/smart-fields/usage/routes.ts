import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { list, type Route, route } from '#kernel/api/routes.ts'
import { NullableText, OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { usageOfFields } from './queries.ts'

const SmartFieldUsage = NamedObject('SmartFieldUsage', {
  smart_field_id: Uuid(),
  missing_count: Type.Integer({ description: 'Active people without a value.' }),
  used_in: Type.Array(
    ClosedObject({
      kind: OneOf(['signature', 'variant', 'rule', 'campaign'], {
        description: '`variant`: a variant of the signature. `rule`: the rules for its recipients.',
      }),
      id: Uuid({ description: 'The signature or the campaign.' }),
      name: NullableText(),
    }),
  ),
})

export const smartFieldUsageRoutes: readonly Route[] = [
  route({
    name: 'smartFields.usage',
    method: 'GET',
    path: '/v1/smart_fields/usage',
    access: 'smart_fields:read',
    summary: 'Where smart fields are used, and how many people lack them',
    description:
      'One entry for each smart field of the workspace, the newest first: the signatures, variants, rules and campaigns that use it, and how many active people have no value for it. A field that is used cannot be deleted. `GET /v1/teammates?missing_smart_field_id=…` lists the people.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(SmartFieldUsage) },
    handle: async ({ db, by, query }) => list(await usageOfFields(db, by.workspaceId, query)),
  }),
]
