import type { Content } from '@signoff/render'
import { type Static, Type } from 'typebox'
import { ContentTree, Preview, Warning } from '#features/content/content/index.ts'
import { ConditionsInput, ConditionsSchema } from '#features/signatures/recipients/index.ts'
import { EmailSchema } from '#features/workspace/emails/index.ts'
import { Nullable, NullableTimestamp, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, closed, NamedObject } from '#kernel/base/closed.ts'
import { statuses } from './lifecycle/states.ts'

const NullableContent = Type.Unsafe<Content | null>({
  anyOf: [{ type: 'null' }, ContentTree()],
  description: 'The banner. Without it the campaign runs and shows nothing.',
})

const variant = {
  name: Text(200, { examples: ['Blue button'] }),
  content: NullableContent,
  weight: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The share of addresses that see it, against the others. 0: none.',
  }),
}
const CampaignVariant = ClosedObject({ id: Uuid(), ...variant })
export type CampaignVariant = Static<typeof CampaignVariant>
const CampaignVariantInput = NamedObject('CampaignVariantInput', {
  id: Type.Optional(Uuid({ description: 'Left out: made by the service. Keep it to keep its numbers.' })),
  name: variant.name,
  content: Type.Optional(variant.content),
  weight: Type.Optional(variant.weight),
})
export type VariantInput = Static<typeof CampaignVariantInput>

export const maxTargets = 1_000
const SignatureIds = Type.Array(Uuid(), {
  maxItems: maxTargets,
  description: 'Signatures that it is for. Empty: all.',
})

export const Campaign = NamedObject('MarketingCampaign', {
  id: Uuid(),
  name: Type.String(),
  status: OneOf(statuses),
  send_email: Type.Boolean(),
  content: NullableContent,
  variants: Type.Array(CampaignVariant),
  smart_fields_conditions: ConditionsSchema,
  signature_template_ids: SignatureIds,
  start_time: NullableTimestamp(),
  end_time: NullableTimestamp(),
  time_zone: Type.String(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
export type Campaign = Static<typeof Campaign>

const time = (description: string) =>
  Type.Optional(
    Nullable<string>(
      Type.String({
        maxLength: 50,
        description: `${description} With an offset, or local to \`time_zone\`: a local time that clocks skip is moved forward by as much, of one that comes twice the first is meant.`,
        examples: ['2026-12-01T09:00', '2026-12-01T08:00:00Z'],
      }),
    ),
  )

export const CampaignInput = NamedObject('MarketingCampaignInput', {
  name: Text(200, { examples: ['Spring fair'] }),
  start_time: time('Null: as soon as it is scheduled.'),
  end_time: time('Null: until it is paused.'),
  time_zone: Type.Optional(
    Text(100, { description: 'As the IANA names it; `UTC` when left out.', examples: ['Europe/Berlin'] }),
  ),
  send_email: Type.Optional(
    Type.Boolean({
      description: 'Whether the people it reaches are mailed when it goes live, once.',
    }),
  ),
  content: Type.Optional(NullableContent),
  variants: Type.Optional(
    Type.Array(CampaignVariantInput, {
      maxItems: 10,
      description:
        'Several banners to be compared, in the place of `content`: each address sees one of them, always the same.',
    }),
  ),
  smart_fields_conditions: Type.Optional(ConditionsInput),
  signature_template_ids: Type.Optional(SignatureIds),
})
export type CampaignInput = Static<typeof CampaignInput>

export const CampaignPatch = Type.Partial(CampaignInput, { title: 'MarketingCampaignPatch', ...closed })
export type CampaignPatch = Static<typeof CampaignPatch>

export const CampaignPreview = NamedObject('MarketingCampaignPreview', {
  ...Preview.properties,
  variants: Type.Array(ClosedObject({ id: Uuid(), name: Type.String(), ...Preview.properties })),
})

const named = { id: Uuid(), name: Type.String() }
export const CampaignWarning = NamedObject('MarketingCampaignWarning', {
  ...Warning.properties,
  code: OneOf(['no_audience', 'no_banner_slot', 'no_banner', 'overlaps_campaign', 'mail_unavailable'], {
    description:
      '`no_audience`: no address would show it now. `no_banner_slot`: people with `signatures` do not see it, because these have no visible `marketing` block for it. `no_banner`: there is nothing to show. `overlaps_campaign`: `campaigns` reach some of the same people at the same time. `mail_unavailable`: people cannot be mailed.',
  }),
  signatures: Type.Array(ClosedObject(named), { description: 'Of `no_banner_slot`.' }),
  campaigns: Type.Array(
    ClosedObject({
      ...named,
      status: OneOf(statuses),
      wins: Type.Boolean({
        description: 'It started last, so it is shown in the place of this campaign.',
      }),
    }),
    { description: 'Of `overlaps_campaign`.' },
  ),
})
export type CampaignWarning = Static<typeof CampaignWarning>

export const Reached = NamedObject('ReachedAddress', {
  ...EmailSchema.properties,
  signature_id: Uuid({ description: 'The signature that carries it.' }),
  variant_id: Nullable<string>(Uuid({ description: 'Which of the compared banners this address sees.' })),
})
export const VariantCount = NamedObject('CampaignVariantCount', {
  id: Uuid(),
  name: Type.String(),
  count: Type.Integer(),
})
