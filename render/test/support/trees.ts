// Random content that is always valid, with many values that are likely to cause bugs.
import fc from 'fast-check'
import { type Block, type Content, enums, type Person } from '../../src/index.ts'
import { assetIds, fieldIds } from './surroundings.ts'

/** Values that try to break out of their text. */
const nasty = fc.constantFrom(
  '<b>bold</b>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</td></table>',
  '&amp;&lt;&nbsp;',
  'expression(alert(1))',
  'red;background:url(javascript:alert(1))',
  '{{first_name}} #{1+1}',
  'javascript:alert(1)',
  'JaVa\tScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example',
  'https://user:pass@evil.example/',
  'http://exa mple.com',
  'file:///etc/passwd',
  'a\r\nBcc: evil@example.com',
  '\u202egnp.exe',
  'x\u0000y\u0007z',
  'محمد الأحمد',
  'עברית, English',
  '山田 太郎',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'x'.repeat(300),
  'https://example.com/?a=1&b="2"#<3>',
  '+44 (0)20 7946 0101 ext. 5',
  'picture-1',
  'ada@example.com',
  'line one\nline two\r\nline three',
  ' ',
  '',
)
export const value = fc.oneof(
  nasty,
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.lorem({ maxCount: 4 }),
)

export const person: fc.Arbitrary<Person> = fc.record(
  Object.fromEntries(fieldIds.map(id => [id, fc.option(value, { freq: 3 })])),
  { requiredKeys: [] },
)

const optional = <T extends object>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>
const px = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(0, 0.5, 10.5, 2000))
const color = fc.constantFrom(
  '#abc',
  '#12AB9f',
  'rgb(1, 2, 3)',
  'RebeccaPurple',
  'transparent',
  'white',
  'black',
)
const sizes = {
  marginTop: px,
  marginRight: px,
  marginBottom: px,
  marginLeft: px,
  paddingTop: px,
  paddingRight: px,
  paddingBottom: px,
  paddingLeft: px,
  backgroundColor: color,
  gap: px,
  width: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.constantFrom(0.5, 2000)),
  align: fc.constantFrom(...enums.align),
}
const blockStyle = optional(sizes)
const stackStyle = optional({
  ...sizes,
  borderColor: color,
  borderWidth: fc.integer({ min: 0, max: 9 }),
  borderRadius: px,
})
const textStyle = optional({
  fontSize: fc.integer({ min: 6, max: 96 }),
  color,
  lineHeight: fc.double({ min: 0, max: 100, noNaN: true }),
  fontFamily: fc.constantFrom(...enums.fontFamily),
  fontWeight: fc.constantFrom(...enums.fontWeight),
  fontStyle: fc.constantFrom(...enums.fontStyle),
  textDecoration: fc.constantFrom(...enums.textDecoration),
  textTransform: fc.constantFrom(...enums.textTransform),
  letterSpacing: fc.double({ min: 0, max: 10, noNaN: true }),
})
const field = fc.constantFrom(...fieldIds, 'gone')
const link = fc.constantFrom(
  'https://example.com/?a=1&b=2',
  'example.com',
  'mailto:ada@example.com',
  'tel:+44 20 7946 0101',
  'sms:+1555',
  '',
)
const href = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ vcard: true }) },
  {
    weight: 9,
    arbitrary: optional({
      text: link,
      smartFieldUuid: field,
      queryParams: fc.array(
        fc.record({
          key: fc.constantFrom('utm_source', 'a b', 'ü&'),
          values: fc.array(optional({ text: value, smartFieldUuid: field }), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
  },
)
const common = { visible: fc.boolean(), displayName: fc.string({ maxLength: 10 }), blockStyle }
const token = optional({
  value,
  smartFieldUuid: field,
  fallback: value,
  prefix: fc.constantFrom('', ' ', ' | <', 'T: '),
  suffix: fc.constantFrom('', '!'),
  textStyle,
  href,
})
const tokens = fc.array(token, { maxLength: 3 })
const icon = fc.constantFrom(...enums.iconName)
const align = fc.constantFrom(...enums.align)
const shape = fc.constantFrom(...enums.shape)

const block = <T extends string>(type: T, required: object, optionalFields: object = {}) =>
  fc
    .tuple(
      fc.record(required as Record<string, fc.Arbitrary<unknown>>),
      optional({ ...common, ...optionalFields } as Record<string, fc.Arbitrary<unknown>>),
    )
    .map(
      ([requiredValues, optionalValues]) =>
        ({ type, ...optionalValues, ...requiredValues }) as unknown as Block,
    )

const text = block('text', { tokens }, { align })
const label = fc.oneof(
  block('listItemLabel', { tokens }, { color }),
  block('listItemLabel', { icon }, { color }),
)
const item = fc
  .tuple(
    fc.option(label, { nil: undefined }),
    fc.array(text, { minLength: 1, maxLength: 2 }),
    optional(common),
  )
  .map(([itemLabel, texts, fields]) => ({
    type: 'listItem',
    ...fields,
    children: itemLabel ? [itemLabel, ...texts] : texts,
  }))

const halo = fc.boolean()
const fraction = fc.double({ min: 0.01, max: 0.5, noNaN: true })
const crop = fc.record({ x: fraction, y: fraction, width: fraction, height: fraction })
const qrFields = { size: fc.integer({ min: 1, max: 600 }), color }

const leaf = fc.oneof(
  { weight: 4, arbitrary: text },
  block(
    'image',
    { src: fc.constantFrom('https://cdn.example/a.png?x=1&y="2"', 'https://cdn.example/b.gif') },
    { alt: value, width: px, height: px, shape, halo: fc.constant(false), href },
  ),
  block(
    'image',
    { assetUuid: fc.constantFrom(...assetIds, 'gone') },
    { alt: value, width: px, shape, halo, crop, href },
  ),
  block('image', { smartFieldUuid: field }, { alt: value, width: px, height: px, shape, halo, crop, href }),
  block('qrCode', { content: fc.constant('vcard') }, qrFields),
  block('qrCode', { content: fc.constant('href'), href }, qrFields),
  block('icon', { name: icon }, { size: px, color, backgroundColor: color, shape, alt: value, href }),
  block(
    'button',
    { tokens, href },
    {
      variant: fc.constantFrom(...enums.buttonVariant),
      color,
      backgroundColor: color,
      borderRadius: px,
      align,
    },
  ),
  block(
    'list',
    { children: fc.array(item, { maxLength: 3 }) },
    { direction: fc.constantFrom(...enums.direction), iconSize: px },
  ),
  block(
    'socialList',
    { children: fc.array(block('socialListItem', { name: icon, href }, { alt: value }), { maxLength: 4 }) },
    { iconSize: px, color, backgroundColor: color, shape, align },
  ),
  block(
    'divider',
    {},
    {
      color,
      thickness: fc.integer({ min: 0, max: 9 }),
      direction: fc.constantFrom(...enums.dividerDirection),
    },
  ),
  block('marketing', {}, { campaignUuid: fc.constantFrom('campaign', 'gone'), align }),
)

const stackFields = {
  blockStyle: stackStyle,
  align,
  verticalAlign: fc.constantFrom(...enums.verticalAlign),
}
const { stack } = fc.letrec<{ stack: Block; any: Block }>(tie => {
  const children = fc.array(tie('any'), { maxLength: 4 })
  return {
    stack: fc.oneof(
      block('stack', { children }, { ...stackFields, direction: fc.constantFrom(...enums.direction) }),
      block('stack', { children, direction: fc.constant('row') }, { ...stackFields, wrap: fc.boolean() }),
    ),
    any: fc.oneof(
      { maxDepth: 8, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      { weight: 2, arbitrary: tie('stack') },
    ),
  }
})

export const content: fc.Arbitrary<Content> = fc
  .tuple(stack as fc.Arbitrary<Content>, optional({ dir: fc.constantFrom(...enums.dir) }))
  .map(([root, dir]) => ({ ...root, ...dir }))
