// The small schemas that block schemas consist of. Validation, types and the published JSON Schema come from them.
import { type Static, type TProperties, type TUnsafe, Type } from 'typebox'
import { colorNames } from './style/colors.ts'

const closed = { additionalProperties: false } as const

export const closedObject = <P extends TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { ...closed, ...options })

export const OneOf = <const T extends string>(values: readonly T[], options: object = {}): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

export const maxText = 5_000
export const Words = (maxLength: number = maxText) => Type.String({ maxLength })
export const Id = () => Type.String({ minLength: 1, maxLength: 64 })
export const Pixels = (minimum = 0, maximum = 2_000) => Type.Number({ minimum, maximum })
export const colorRules = {
  maxLength: 64,
  description: '#rgb, #rrggbb, rgb(…), a CSS name, or transparent',
}
export const Color = () => Type.String({ format: 'color', ...colorRules })

const noUser = '(?!\\s*[A-Za-z]+:\\/\\/[^/?#]*@)'
/** JSON Schema has no flag for it. */
const inAnyCase = (text: string): string =>
  text.replace(/[a-z]/g, letter => `[${letter.toUpperCase()}${letter}]`)

const channel = '(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)'
const rgb = `${inAnyCase('rgb')}\\(\\s*${channel}((\\s*,\\s*|\\s+)${channel}){2}\\s*\\)`
const webLink = `${inAnyCase('http')}[Ss]?:[^\\s]`
const mailLink = `${inAnyCase('mailto')}:[^\\s@]+@[^\\s]`
const numberLink = `(${inAnyCase('tel')}|${inAnyCase('sms')}):[^?\\d]*\\d`
const bareLink =
  '[^\\s/?#:@.]+(\\.[^\\s/?#:@.]+)*\\.([A-Za-z\\u00a1-\\uffff]{2,}|[Xx][Nn]--[A-Za-z\\d-]+)(:\\d{1,5})?([/?#\\s]|$)'

/** Our own formats as regular expressions. validate.ts checks the rest. */
export const formatPatterns: Readonly<Record<string, string>> = {
  color: `^\\s*(#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|${rgb}|${colorNames.map(inAnyCase).join('|')})\\s*$`,
  https: `^${noUser}\\s*${inAnyCase('https')}:`,
  link: `^${noUser}\\s*($|${webLink}|${mailLink}|${numberLink}|${bareLink})`,
}

/** The kind of thing that a string refers to. The caller checks that it exists in the workspace. */
export type ReferenceKind = 'smart_field' | 'asset' | 'campaign'
export const Reference = (refersTo: ReferenceKind, options: object = {}) =>
  Type.String({ refersTo, maxLength: 64, format: 'reference', ...options })

export const aligns = ['left', 'center', 'right'] as const
export const verticalAligns = ['top', 'middle', 'bottom'] as const
export const directions = ['column', 'row'] as const
export const shapes = ['square', 'rounded', 'circle'] as const
export type Align = (typeof aligns)[number]
export type Shape = (typeof shapes)[number]

export const dirs = ['auto', 'ltr', 'rtl'] as const
export const buttonVariants = ['solid', 'outline'] as const
export const qrContents = ['vcard', 'href'] as const

/** A part of a picture, as fractions of its width and height. Validation also checks that it ends inside the picture. */
export const CropSchema = closedObject({
  x: Type.Number({ minimum: 0, maximum: 1 }),
  y: Type.Number({ minimum: 0, maximum: 1 }),
  width: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  height: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
})

/** Sizes and alignment. Every block accepts the same keys and ignores those that it does not use. */
const sizes = {
  marginTop: Type.Optional(Pixels()),
  marginRight: Type.Optional(Pixels()),
  marginBottom: Type.Optional(Pixels()),
  marginLeft: Type.Optional(Pixels()),
  paddingTop: Type.Optional(Pixels()),
  paddingRight: Type.Optional(Pixels()),
  paddingBottom: Type.Optional(Pixels()),
  paddingLeft: Type.Optional(Pixels()),
  backgroundColor: Type.Optional(Color()),
  gap: Type.Optional(Pixels()),
  width: Type.Optional(Pixels()),
  align: Type.Optional(OneOf(aligns)),
}
export const BlockStyle = closedObject(sizes, { title: 'BlockStyle' })
export type BlockStyle = Static<typeof BlockStyle>

/** A stack can also be a card. */
export const StackStyle = closedObject(
  {
    ...sizes,
    borderColor: Type.Optional(Color()),
    borderWidth: Type.Optional(Pixels()),
    borderRadius: Type.Optional(Pixels()),
  },
  { title: 'StackStyle' },
)
export type StackStyle = Static<typeof StackStyle>

const common = {
  id: Type.Optional(Id()),
  visible: Type.Optional(Type.Boolean()),
  displayName: Type.Optional(Words(200)),
  blockStyle: Type.Optional(BlockStyle),
}

/** The schema of a block: the common fields and its own fields. Other fields are refused. */
export const blockSchema = <const T extends string, P extends TProperties>(
  type: T,
  ownFields: P,
  options: object = {},
) => closedObject({ type: OneOf([type]), ...common, ...ownFields }, options)

/** An array of blocks of these types. */
export const blocksOf = <B>(types: readonly string[], options: object = {}): TUnsafe<readonly B[]> =>
  Type.Unsafe<readonly B[]>({
    type: 'array',
    items: { anyOf: types.map(type => ({ $ref: `#/$defs/${type}` })) },
    ...options,
  })
