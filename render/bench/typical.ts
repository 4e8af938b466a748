// The signature that the benches measure: photo, name, title, company, phone, mail, four social icons, a divider and a
// banner, with tracked links and a pixel.
import {
  type Block,
  type Content,
  compile,
  fillIds,
  type RenderHooks,
  type Surroundings,
} from '../src/index.ts'

const style = { fontFamily: 'Arial', fontSize: 13, lineHeight: 18, color: '#667085' } as const
type Text = Extract<Block, { type: 'text' }>
type Item = NonNullable<Extract<Block, { type: 'list' }>['children']>[number]

const textLine = (field: string, styleOverrides: object = {}): Text => ({
  type: 'text',
  tokens: [{ type: 'textToken', smartFieldUuid: field, textStyle: { ...style, ...styleOverrides } }],
})
const item = (icon: 'phone' | 'envelope', field: string): Item => ({
  type: 'listItem',
  children: [{ type: 'listItemLabel', icon, color: '#1f5fbf' }, textLine(field)],
})

let idCount = 0
const newId = (): string => {
  idCount += 1
  return `b${idCount}`
}
const withIds = (content: Content): Content => fillIds(content, newId)

export const typical = withIds({
  type: 'stack',
  blockStyle: { gap: 12 },
  children: [
    {
      type: 'stack',
      direction: 'row',
      blockStyle: { gap: 16 },
      children: [
        { type: 'image', assetUuid: 'photo', alt: 'Portrait', width: 80, height: 80, shape: 'circle' },
        {
          type: 'stack',
          blockStyle: { gap: 4 },
          children: [
            {
              type: 'text',
              tokens: ['first', 'last'].map((field, index) => ({
                type: 'textToken' as const,
                smartFieldUuid: field,
                prefix: index === 0 ? '' : ' ',
                textStyle: {
                  ...style,
                  fontSize: 16,
                  lineHeight: 22,
                  fontWeight: 'bold' as const,
                  color: '#1f5fbf',
                },
              })),
            },
            textLine('title'),
            textLine('company', { fontWeight: 'bold' }),
            { type: 'list', children: [item('phone', 'phone'), item('envelope', 'email')] },
          ],
        },
      ],
    },
    { type: 'divider' },
    {
      type: 'socialList',
      backgroundColor: '#1f5fbf',
      children: (
        [
          ['linkedin-in', 'https://www.linkedin.com/company/acme'],
          ['facebook-f', 'https://www.facebook.com/acme'],
          ['instagram', 'https://www.instagram.com/acme'],
          ['youtube', 'https://www.youtube.com/@acme'],
        ] as const
      ).map(([name, text]) => ({ type: 'socialListItem' as const, name, href: { text } })),
    },
    { type: 'marketing' },
  ],
})

const banner = withIds({
  type: 'stack',
  children: [
    {
      type: 'image',
      assetUuid: 'banner',
      alt: 'Summer fair',
      width: 480,
      height: 120,
      href: { text: 'https://acme.example/fair' },
    },
  ],
})

export const surroundings: Surroundings = {
  fields: new Map(
    (
      [
        ['first', 'text'],
        ['last', 'text'],
        ['title', 'text'],
        ['company', 'text'],
        ['phone', 'phone'],
        ['email', 'email'],
      ] as const
    ).map(([name, kind]) => [name, { kind }]),
  ),
  assets: new Map([
    ['photo', { width: 160, height: 160, bytes: 9_000, contentType: 'image/png' }],
    ['banner', { width: 960, height: 240, bytes: 60_000, contentType: 'image/png' }],
  ]),
  assetUrl: (asset, { width }) => `https://sign.acme.example/files/${asset}5Yb0c9Qe-${width}.png`,
  iconUrl: ({ name, size, color }) =>
    `https://sign.acme.example/icons/${name}-${size}-${color.slice(1)}-1a2b3c4d.png`,
}

const campaign = { id: 'c1', template: compile(banner, surroundings) }

/** Like real deliveries: every person gets tracked links and a pixel of their own. */
export const fillOf = (token: string): RenderHooks => ({
  campaign: () => campaign,
  link: ({ id: anchor }) => `https://sign.acme.example/c/${token}${anchor}`,
  pixel: () => `https://sign.acme.example/p/${token}`,
})

export type TypicalPerson = {
  readonly first: string
  readonly last: string
  readonly title: string
  readonly company: string
  readonly phone: string
  readonly email: string
}

export const people: readonly TypicalPerson[] = Array.from({ length: 1_000 }, (_, n) => ({
  first: ['Ada', 'Grace', 'Linus', 'Margaret', 'Alan'][n % 5] ?? '',
  last: `Lovelace${n}`,
  title: n % 10 === 0 ? 'Research & Development' : `Analyst ${n}`,
  company: 'Acme Ltd',
  phone: `+44 20 7946 ${1000 + n}`,
  email: `person${n}@acme.example`,
}))
