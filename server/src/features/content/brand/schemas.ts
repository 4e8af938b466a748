import { enums, type IconName, iconNames, parseColor, safeUrl } from '@signoff/render'
import { type Static, Type } from 'typebox'
import { Nullable, NullableTimestamp, NullableUuid, OneOf, Text } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { type Detail, detail } from '#kernel/base/errors.ts'
import { isObject } from '#kernel/base/json-values.ts'

/** Longer addresses would fill a signature, which mail clients limit to 10,000 characters. */
const maxLink = 500
const maxLinks = 8
const maxWords = 5_000

const link = (description: string, example: string) => Text(maxLink, { description, examples: [example] })

const SocialLink = NamedObject('SocialLink', {
  name: OneOf<IconName>(iconNames, { title: 'SocialIcon', description: 'The icon.' }),
  href: link(
    'Where the icon leads: https, http, mailto, tel or sms.',
    'https://www.linkedin.com/company/northbean',
  ),
})

const color = (description: string) =>
  Nullable<string>(
    Type.String({
      maxLength: 64,
      description: `${description} #rgb, #rrggbb, rgb(…) or a CSS name; null: the default.`,
    }),
  )

const colors = {
  primary: color('Buttons, bars, icons and headings.'),
  text: color('Names and contact data.'),
  muted: color('Titles, labels and small print.'),
  link: color('Links.'),
}

const fields = {
  logo_asset_id: Type.Unsafe<string | null>({
    ...NullableUuid(),
    description: 'The asset that shows the logo.',
  }),
  font_family: Nullable<(typeof enums.fontFamily)[number]>(OneOf(enums.fontFamily)),
  website: Nullable<string>(
    link('The public https or http address of the company.', 'https://www.northbean.example'),
  ),
  address: Nullable<string>(Text(maxWords, { examples: ['12 Harbour Street, Hamburg'] })),
  social: Type.Array(SocialLink, {
    maxItems: maxLinks,
    description: 'The profiles of the company, in their order.',
  }),
  legal: Nullable<string>(
    Text(maxWords, {
      description: 'The small print: registration, disclaimer. Templates show as much of it as fits.',
    }),
  ),
}

export const Brand = NamedObject('Brand', {
  ...fields,
  colors: ClosedObject(colors),
  updated_at: NullableTimestamp(),
})
export type Brand = Static<typeof Brand>

export const BrandPatch = NamedObject(
  'BrandPatch',
  {
    ...Type.Partial(Type.Object(fields)).properties,
    colors: Type.Optional(
      ClosedObject(Type.Partial(Type.Object(colors)).properties, {
        description: 'Colours that are left out stay as they are.',
      }),
    ),
  },
  {
    examples: [
      {
        colors: { primary: '#2f5d50', link: '#1f6f5c' },
        font_family: 'Verdana',
        website: 'https://www.northbean.example',
        address: '12 Harbour Street, 20457 Hamburg, Germany',
        social: [
          { name: 'linkedin-in', href: 'https://www.linkedin.com/company/northbean' },
          { name: 'instagram', href: 'https://www.instagram.com/northbean' },
        ],
        legal: 'Northbean Coffee GmbH, Hamburg. Registered at the district court of Hamburg, HRB 12345.',
      },
    ],
  },
)
export type BrandPatch = Static<typeof BrandPatch>

/** True if the renderer would draw the colour. A transparent text or button would not be seen. */
const isVisibleColor = (value: string): boolean => typeof parseColor(value) === 'string'
const isWebAddress = (value: string): boolean => safeUrl(value)?.startsWith('http') === true

/** Problems that JSON Schema cannot express: colours and links, checked in the same way as in content. */
export function brandProblems(body: object): readonly Detail[] {
  const { colors, website, social } = body as { colors?: unknown; website?: unknown; social?: unknown }
  const colorEntries = isObject(colors) ? Object.entries(colors) : []
  const links = Array.isArray(social)
    ? social.slice(0, maxLinks).map(item => (isObject(item) ? item.href : undefined))
    : []
  return [
    ...colorEntries
      .filter(([, value]) => typeof value === 'string' && !isVisibleColor(value))
      .map(([name]) =>
        detail(`colors.${name}`, 'invalid', {
          message: `colors.${name} must be a colour: #rgb, #rrggbb, rgb(…) or a CSS name`,
        }),
      ),
    ...(typeof website === 'string' && !isWebAddress(website)
      ? [detail('website', 'invalid', { message: 'website is not a public https or http address' })]
      : []),
    ...links.flatMap((href, n) =>
      typeof href === 'string' && safeUrl(href) === null
        ? [detail(`social[${n}].href`, 'invalid', { message: `social[${n}].href is not an allowed link` })]
        : [],
    ),
  ]
}
