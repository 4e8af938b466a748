import { Type } from 'typebox'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { variantKinds } from '../variants/schemas.ts'

export const severities = ['error', 'warning', 'note'] as const

export const checkCodes = [
  'nothing_to_show',
  'unreachable_address',
  'missing_values',
  'low_contrast',
  'text_too_small',
  'unsupported_image',
  'literal_placeholder',
  'too_long',
  'image_oversized',
  'variant_not_active',
  'link_without_target',
  'missing_alt',
  'not_mobile',
] as const

export const CheckProblem = NamedObject('CheckProblem', {
  code: OneOf(checkCodes),
  severity: OneOf(severities, { description: '`error`: publishing is refused unless it is forced.' }),
  message: Type.String({ examples: ['Job title: 12 of 20 recipients have none.'] }),
  blocks: Type.Array(
    ClosedObject({
      id: Type.String(),
      name: Type.String({
        description: 'Its `displayName`, or what it shows.',
        examples: ['Image logo.png'],
      }),
      path: Type.String({
        description: 'Its place in the signature, or in the variant.',
        examples: ['draft_content.children[0].children[2]'],
      }),
    }),
    { description: 'Empty when the problem concerns no block.' },
  ),
  recipients_affected: Type.Integer({ examples: [12] }),
  smart_field: Type.Optional(
    Type.String({
      description: 'The label of the smart field that the problem is about. Only of `missing_values`.',
      examples: ['Job title'],
    }),
  ),
})

export const Check = NamedObject('SignatureCheck', {
  recipients: Type.Integer({ description: 'The addresses that the signature reaches.', examples: [20] }),
  problems: Type.Array(CheckProblem, {
    maxItems: 100,
    description: 'One per cause, the most severe first; at most 100.',
  }),
  kept: Type.Optional(
    Type.Array(
      ClosedObject({
        signature_id: Uuid(),
        name: Type.String({ examples: ['Sales'] }),
        priority: Type.Integer({ examples: [0] }),
        recipients: Type.Integer({
          description: 'How many recipients of the checked signature keep this one.',
          examples: [8],
        }),
      }),
      {
        description:
          'Live signatures that come first for some of the recipients: these addresses keep them when this one is published. Left out when there are none, and for variants.',
      },
    ),
  ),
})

export const CheckQuery = Type.Object({
  variant: Type.Optional(
    OneOf(variantKinds, { description: 'Check this variant. Left out: the signature itself.' }),
  ),
})

export const PublishInput = NamedObject('SignaturePublishInput', {
  force: Type.Optional(
    Type.Boolean({
      default: false,
      examples: [true],
      description: 'Publish even if `check` reports an error.',
    }),
  ),
})

export const VariantPublishInput = NamedObject('SignatureVariantPublishInput', {
  ...PublishInput.properties,
  activated: Type.Optional(
    Type.Boolean({
      examples: [true],
      description:
        'Left out: the first publish switches the variant on, later ones leave the switch as it is.',
    }),
  ),
})
