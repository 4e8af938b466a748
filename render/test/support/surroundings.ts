// A small workspace, with which golden files and generated trees are rendered.
import {
  type Content,
  compile,
  type FieldDefinition,
  fillIds,
  type Person,
  type Rendered,
  type RenderHooks,
  type Surroundings,
} from '../../src/index.ts'

const kinds: Readonly<Record<string, FieldDefinition['kind']>> = {
  first_name: 'text',
  last_name: 'text',
  job_title: 'text',
  department: 'text',
  company: 'text',
  address: 'text',
  website: 'url',
  calendar_link: 'url',
  email: 'email',
  work_phone: 'phone',
  mobile_phone: 'phone',
  profile_picture: 'image',
}
export const fieldIds = Object.keys(kinds)
export const assetIds = ['logo', 'photo', 'banner', 'party']

export function surroundings(fallbacks: Readonly<Record<string, string>> = {}): Surroundings {
  return {
    fields: new Map(
      Object.entries(kinds).map(([id, kind]) => [id, { kind, fallback: fallbacks[id] ?? null }]),
    ),
    assets: new Map([
      ['logo', { width: 320, height: 96, bytes: 8_000, contentType: 'image/png' }],
      ['photo', { width: 400, height: 400, bytes: 40_000, contentType: 'image/jpeg' }],
      ['banner', { width: 960, height: 240, bytes: 90_000, contentType: 'image/png' }],
      ['party', { width: 480, height: 120, bytes: 2_000_000, contentType: 'image/gif' }],
    ]),
    campaigns: new Set(['campaign']),
    assetUrl: (id, { width, height, shape, halo, crop }) =>
      `https://sign.example/files/${id}-${width}x${height}-${shape}${halo ? '-halo' : ''}${crop ? `-${Object.values(crop).join('-')}` : ''}.png`,
    iconUrl: ({ name, size, color, backgroundColor, shape }) =>
      `https://sign.example/icons/${name}-${size}-${color.slice(1)}${backgroundColor ? `-${backgroundColor.slice(1)}-${shape}` : ''}.png`,
  }
}

export interface Golden {
  readonly content: Content
  readonly person: Person
  readonly fallbacks?: Readonly<Record<string, string>>
  readonly campaign?: Content
  readonly track?: boolean
  /** The service has contact cards, QR codes and pictures of people. */
  readonly hasCards?: boolean
}

export const cardHooks: Pick<RenderHooks, 'vcard' | 'qrUrl'> = {
  vcard: () => 'https://sign.example/v/token.vcf',
  qrUrl: ({ size, color, content }) => `https://sign.example/qr/${content}-${size}-${color.slice(1)}.png`,
}

/** Pictures of people are drawn for their box; a side that is left out is 40 px. */
export const personPicture: NonNullable<Surroundings['personPicture']> = (value, { width, height, shape }) =>
  value.startsWith('picture-')
    ? { url: `https://sign.example/people/${value}-${shape}.png`, width: width ?? 40, height: height ?? 40 }
    : null

export function withIds(content: Content): Content {
  let count = 0
  return fillIds(content, () => {
    count += 1
    return `id-${count}`
  })
}

/** What a golden file is rendered with. */
export function goldenInputs(
  { content, fallbacks, campaign, track, hasCards }: Golden,
  overrides: Partial<Surroundings> = {},
): { readonly tree: Content; readonly surroundings: Surroundings; readonly hooks: RenderHooks } {
  const workspace = { ...surroundings(fallbacks), ...(hasCards && { personPicture }), ...overrides }
  const banner = campaign && { id: 'campaign', template: compile(withIds(campaign), workspace) }
  const hooks: RenderHooks = {
    ...(banner && { campaign: () => banner }),
    ...(hasCards && cardHooks),
    ...(track && {
      link: ({ id, campaignId }) => `https://sign.example/c/token-${campaignId ?? 's'}-${id}`,
      pixel: () => 'https://sign.example/p/token',
    }),
  }
  return { tree: withIds(content), surroundings: workspace, hooks }
}

export function renderGolden(golden: Golden, overrides: Partial<Surroundings> = {}): Rendered {
  const { tree, surroundings: workspace, hooks } = goldenInputs(golden, overrides)
  return compile(tree, workspace).render(golden.person, hooks)
}
