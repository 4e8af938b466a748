import { enums } from '@signoff/render'
import { type Static, Type } from 'typebox'
import { Nullable, NullableUuid, OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { type Detail, detail } from '#kernel/base/errors.ts'
import { isObject } from '#kernel/base/json-values.ts'

const Fraction = () => Type.Number({ minimum: 0, maximum: 1 })
const HexColor = () => Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1f5fbf'] })
/** The renderer derives a side from the proportions of a picture, so it can be longer than content allows. */
const Side = (options: object = {}) => Type.Number({ minimum: 0, maximum: 1_000_000, ...options })

const Box = ClosedObject(
  {
    width: Type.Optional(Side({ description: 'In CSS pixels. A person’s picture can do without a side.' })),
    height: Type.Optional(Side()),
    shape: OneOf(enums.shape),
    halo: Type.Optional(Type.Boolean()),
    crop: Type.Optional(
      ClosedObject({ x: Fraction(), y: Fraction(), width: Fraction(), height: Fraction() }),
    ),
  },
  { description: 'For `asset` and `person`: the `PictureBox` of the renderer.' },
)

const Icon = ClosedObject(
  {
    name: OneOf(enums.iconName, { title: 'IconName' }),
    size: Type.Number({ minimum: 1, maximum: 2_000 }),
    color: HexColor(),
    backgroundColor: Nullable<string>(HexColor()),
    shape: OneOf(enums.shape),
  },
  { description: 'For `icon`: the `IconBox` of the renderer.' },
)

const Code = ClosedObject(
  {
    content: OneOf(enums.qrContent),
    size: Type.Number({ minimum: 1, maximum: 600 }),
    color: HexColor(),
    url: Type.Optional(Type.String({ maxLength: 2_048, description: 'For `href`.' })),
  },
  { description: 'For `qr_code`: the `QrCodeRequest` of the renderer.' },
)

const pictureKinds = ['asset', 'icon', 'person', 'qr_code', 'contact_card'] as const
type PictureKind = (typeof pictureKinds)[number]

/** One flat object: the problems of a union would name every kind that the item is not. */
const PictureRequest = NamedObject('PictureRequest', {
  kind: OneOf(pictureKinds),
  asset_id: Type.Optional(Uuid()),
  smart_field_id: Type.Optional(Uuid()),
  box: Type.Optional(Box),
  icon: Type.Optional(Icon),
  code: Type.Optional(Code),
})
export type PictureRequest = Static<typeof PictureRequest>

/** Properties of a kind beside `kind`. Everything else does not belong to it. */
const partsOf: Readonly<Record<PictureKind, readonly (keyof PictureRequest)[]>> = {
  asset: ['asset_id', 'box'],
  icon: ['icon'],
  person: ['smart_field_id', 'box'],
  qr_code: ['code'],
  contact_card: [],
}

export const PicturesInput = NamedObject(
  'PicturesInput',
  {
    email_id: Type.Optional(
      Nullable<string>(
        Uuid({ description: 'Whose pictures and contact card. Left out or null: placeholders.' }),
      ),
    ),
    pictures: Type.Array(PictureRequest, { minItems: 1, maxItems: 200 }),
  },
  {
    examples: [
      {
        pictures: [
          {
            kind: 'icon',
            icon: { name: 'phone', size: 16, color: '#667085', backgroundColor: null, shape: 'square' },
          },
          {
            kind: 'qr_code',
            code: { content: 'href', url: 'https://www.example.com/', size: 96, color: '#000000' },
          },
          { kind: 'contact_card' },
        ],
      },
    ],
  },
)
export type PicturesInput = Static<typeof PicturesInput>

/** The parts of an item depend on its kind. */
export function pictureProblems(body: object): readonly Detail[] {
  const { pictures } = body as { readonly pictures?: unknown }
  if (!Array.isArray(pictures)) return []
  return pictures.slice(0, 200).flatMap((item: unknown, index) => {
    const parts = isObject(item) ? partsOf[item.kind as PictureKind] : undefined
    if (!isObject(item) || !Array.isArray(parts)) return []
    return itemProblems(item, parts, `pictures[${index}]`)
  })
}

function itemProblems(
  item: Readonly<Record<string, unknown>>,
  parts: readonly string[],
  path: string,
): readonly Detail[] {
  const { box, code } = item
  const missing = parts.filter(part => item[part] === undefined)
  const foreign = Object.values(partsOf)
    .flat()
    .filter((part, index, all) => all.indexOf(part) === index && !parts.includes(part))
    .filter(part => item[part] !== undefined)
  const sides =
    item.kind === 'asset' && isObject(box)
      ? ['width', 'height'].filter(side => box[side] === undefined).map(side => `box.${side}`)
      : []
  const url = isObject(code) && code.content === 'href' && code.url === undefined ? ['code.url'] : []
  return [
    ...[...missing, ...sides, ...url].map(name => detail(`${path}.${name}`, 'missing')),
    ...foreign.map(name =>
      detail(`${path}.${name}`, 'unknown_property', {
        message: `${path}.${name} does not belong to a picture of kind ${String(item.kind)}`,
      }),
    ),
  ]
}

/** Null: there is no such picture. */
const PictureAddress = Type.Unsafe<{ url: string; width?: number; height?: number } | null>({
  type: ['object', 'null'],
  required: ['url'],
  additionalProperties: false,
  properties: {
    url: { type: 'string' },
    width: { type: 'integer', description: 'Of the picture of a person: the displayed size, in CSS pixels.' },
    height: { type: 'integer' },
  },
})

export const PictureAddresses = Type.Array(PictureAddress)

export const samples = ['placeholder', 'longest'] as const
export type Sample = (typeof samples)[number]

export const PersonQuery = Type.Object({
  email_id: Type.Optional(Uuid({ description: 'Whose values. Not together with `sample`.' })),
  sample: Type.Optional(
    OneOf(samples, {
      description:
        '`placeholder`: the values of previews without an address (also when neither is sent). `longest`: of each field, the longest value of an active teammate (in workspaces of more than 20,000: of those who were added last).',
    }),
  ),
  signature_id: Type.Optional(
    Uuid({ description: 'For `running_campaigns`. Left out: only campaigns for all signatures.' }),
  ),
})
export type PersonQuery = Static<typeof PersonQuery>

export const PersonValue = ClosedObject({
  smart_field_id: Uuid(),
  value: Nullable<string>(Type.String()),
  has_picture: Type.Boolean({
    description:
      'An image field with a picture. Where `value` is null, the picture is drawn for its place: `POST /v1/content/pictures` gives its address.',
  }),
})

const RunningCampaign = NamedObject('RunningCampaign', { campaign_id: Uuid(), variant_id: NullableUuid() })

export const RenderedPerson = NamedObject('RenderedPerson', {
  email_id: NullableUuid(),
  address: Nullable<string>(Type.String()),
  values: Type.Array(PersonValue),
  running_campaigns: Type.Array(RunningCampaign, {
    description: 'The campaigns that run for the address. Blocks that name no campaign show the first.',
  }),
  own_address: Type.String({
    description: 'The address of this service: the renderer shows its pictures without https too.',
  }),
})
