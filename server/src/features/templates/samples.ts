// Sample data for thumbnails: a brand, a person and their pictures.
import type { Person, Surroundings } from '@signoff/render'
import type { Brand } from '#features/brand/index.ts'
import { iconUrl } from '#features/icons/index.ts'
import { type FieldIds, type FieldKey, fieldKeys, type Logo } from './design.ts'

const svg = (width: number, height: number, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}" viewBox="0 0 ${width} ${height}">${drawing}</svg>`

const logo = { width: 160, height: 40 }
const banner = { width: 480, height: 96 }

/** Drawn, so that thumbnails show no real person and no real company. */
export const samplePictures: Readonly<Record<string, string>> = {
  'portrait.png': svg(
    128,
    128,
    '<rect width="128" height="128" fill="#e8d5c4"/><path d="M30 66C24 20 104 20 98 66L104 104H24Z" fill="#43291b"/><path d="M18 128C20 100 44 92 64 92S108 100 110 128Z" fill="#31506b"/><path d="M52 80H76V94C76 102 52 102 52 94Z" fill="#c4876a"/><ellipse cx="64" cy="60" rx="23" ry="28" fill="#d79a7b"/><path d="M40 58C42 32 84 28 90 58 78 54 66 48 60 40 56 48 50 54 40 58Z" fill="#43291b"/><path d="M54 74Q64 82 74 74" fill="none" stroke="#a8593f" stroke-width="2.5" stroke-linecap="round"/><circle cx="55" cy="60" r="2.6" fill="#43291b"/><circle cx="73" cy="60" r="2.6" fill="#43291b"/>',
  ),
  'logo.png': svg(
    logo.width,
    logo.height,
    '<circle cx="20" cy="20" r="16" fill="#2b6cb0"/><path d="M12 25L20 11 28 25Z" fill="#fff"/><text x="46" y="27" font-family="Arial, Liberation Sans, sans-serif" font-size="20" font-weight="bold" fill="#2b6cb0">Summit &amp; Co</text>',
  ),
  'banner.png': svg(
    banner.width,
    banner.height,
    '<rect width="480" height="96" rx="6" fill="#1f4e79"/><path d="M300 96L372 30 416 66 440 48 480 84V96Z" fill="#2b6cb0"/><text x="28" y="44" font-family="Arial, Liberation Sans, sans-serif" font-size="20" font-weight="bold" fill="#fff">Meet us at the spring fair</text><text x="28" y="68" font-family="Arial, Liberation Sans, sans-serif" font-size="13" fill="#cfe0f1">Hall 4, stand 12 · 3–5 March</text>',
  ),
}

export const sampleLogo: Logo = { id: 'logo', ...logo }
export const sampleFields = Object.fromEntries(fieldKeys.map(key => [key, key])) as FieldIds

export const sampleBrand: Brand = {
  logo_asset_id: sampleLogo.id,
  colors: { primary: null, text: null, muted: null, link: null },
  font_family: null,
  website: 'https://www.summit.example',
  address: '48 Harbour Street, Bristol BS1 4QA',
  social: [
    { name: 'linkedin-in', href: 'https://www.linkedin.com/company/summit' },
    { name: 'instagram', href: 'https://www.instagram.com/summit' },
    { name: 'youtube', href: 'https://www.youtube.com/@summit' },
  ],
  legal: null,
  updated_at: null,
}

export const samplePerson = (pictureAddress: string): Person & Readonly<Record<FieldKey, string>> => ({
  first_name: 'Alex',
  last_name: 'Morgan',
  job_title: 'Head of Partnerships',
  department: 'Business Development',
  company: 'Summit & Co',
  work_phone: '+44 117 496 0123',
  mobile_phone: '+44 7700 900 123',
  calendar_link: 'https://cal.example.com/alex',
  profile_picture: `${pictureAddress}portrait.png`,
  email: 'alex.morgan@summit.example',
})

/** `pictureAddress` is where the pictures are served, with a slash at its end. */
export function sampleSurroundings(publicUrl: string, pictureAddress: string): Surroundings {
  const kinds = {
    work_phone: 'phone',
    mobile_phone: 'phone',
    calendar_link: 'url',
    profile_picture: 'image',
    email: 'email',
  } as const
  const kindOf = (key: FieldKey) => (key in kinds ? kinds[key as keyof typeof kinds] : 'text')
  return {
    fields: new Map(fieldKeys.map(key => [key, { kind: kindOf(key), fallback: null }])),
    assets: new Map([
      ['logo', { width: logo.width * 2, height: logo.height * 2, bytes: 4_000, contentType: 'image/png' }],
    ]),
    assetUrl: id => `${pictureAddress}${id}.png`,
    ownAddress: publicUrl,
    iconUrl: icon => iconUrl(publicUrl, icon),
  }
}
