// Sample data for thumbnails: a brand and a person.
import type { Person, Surroundings } from '@signoff/render'
import type { Brand } from '#features/content/brand/index.ts'
import { iconUrl } from '#features/content/icons/index.ts'
import { builtInFields } from '#features/workspace/smart-fields/index.ts'
import type { Category, FieldIds, FieldKey, Logo } from './design.ts'
import { logoSize } from './sample-pictures.ts'

export const sampleLogo: Logo = { id: 'logo', ...logoSize }
export const sampleFields = Object.fromEntries(builtInFields.map(({ key }) => [key, key])) as FieldIds

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

type Role = readonly [jobTitle: string, department: string, company: string]

const roles: Readonly<Record<Category, Role>> = {
  corporate: ['Head of Partnerships', 'Business Development', 'Summit & Co'],
  sales: ['Account Executive', 'Sales', 'Summit & Co'],
  creative: ['Art Director', 'Brand Studio', 'Summit & Co'],
  legal: ['Senior Counsel', 'Commercial Litigation', 'Summit Legal LLP'],
  health: ['Consultant Cardiologist', 'Cardiology', 'Summit Clinic'],
  education: ['Associate Professor', 'Department of Physics', 'Summit University'],
  minimal: ['Product Designer', 'Product', 'Summit & Co'],
  reply: ['Customer Success Manager', 'Support', 'Summit & Co'],
  internal: ['Data Engineer', 'Platform Team', 'Summit & Co'],
}

export function samplePerson(
  pictureAddress: string,
  category: Category = 'corporate',
): Person & Readonly<Record<FieldKey, string>> {
  const [job_title, department, company] = roles[category]
  return {
    first_name: 'Alex',
    last_name: 'Morgan',
    job_title,
    department,
    company,
    work_phone: '+44 117 496 0123',
    mobile_phone: '+44 7700 900 123',
    calendar_link: 'https://cal.example.com/alex',
    profile_picture: `${pictureAddress}portrait.png`,
    email: 'alex.morgan@summit.example',
  }
}

/** `pictureAddress` is where the pictures are served, with a slash at its end. */
export function sampleSurroundings(publicUrl: string, pictureAddress: string): Surroundings {
  return {
    fields: new Map(builtInFields.map(({ key, kind }) => [key, { kind, fallback: null }])),
    assets: new Map([
      [
        'logo',
        { width: logoSize.width * 2, height: logoSize.height * 2, bytes: 4_000, contentType: 'image/png' },
      ],
    ]),
    assetUrl: id => `${pictureAddress}${id}.png`,
    ownAddress: publicUrl,
    iconUrl: icon => iconUrl(publicUrl, icon),
  }
}
