// The pictures of the demo in the library of assets, and the brand that uses the logo.
import { findAssetByName, saveAsset } from '#features/content/assets/index.ts'
import { changeBrand, findBrand } from '#features/content/brand/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import type { DemoRow } from './people.ts'
import {
  bannerPictures,
  brandColour,
  type DemoPicture,
  logoPicture,
  readDrawing,
  readDrawnPortrait,
} from './pictures.ts'

/** Two at a time: two image processes read pictures. */
async function mapInPairs<T, R>(items: readonly T[], apply: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += 2)
    results.push(...(await Promise.all(items.slice(start, start + 2).map(apply))))
  return results
}

/** Returns the id of the asset. A picture that is in the library already is not saved again. */
async function savePicture(
  db: Db,
  by: Caller,
  parts: Parts,
  {
    filename,
    ...attributes
  }: Omit<DemoPicture, 'role'> & { readonly role: DemoPicture['role'] | 'profile_picture' },
  read: () => Promise<Buffer>,
): Promise<string> {
  const existing = await findAssetByName(db, by.workspaceId, attributes.name)
  if (existing) return existing.id
  const source = { bytes: await read(), encoding: 'bytes', filename, field: 'file_base64' } as const
  const { id } = await saveAsset(db, by, source, attributes, { publicUrl: '', store: parts.store })
  return id
}

/** Saves the logo and the banners, and sets the brand unless the workspace has one. Returns how many pictures there are. */
export async function fillLibrary(db: Db, by: Caller, parts: Parts): Promise<number> {
  const pictures = [logoPicture, ...Object.values(bannerPictures)]
  const [logo_asset_id] = await mapInPairs(pictures, picture =>
    savePicture(db, by, parts, picture, () => readDrawing(picture.filename)),
  )
  const { updated_at } = await findBrand(db, by.workspaceId)
  if (updated_at === null && logo_asset_id !== undefined)
    await changeBrand(db, by, { ...brand, logo_asset_id }, parts.brand)
  return pictures.length
}

const brand: Parameters<typeof changeBrand>[2] = {
  colors: { primary: brandColour, text: null, muted: '#80716a', link: brandColour },
  font_family: 'Helvetica',
  website: 'https://www.northbean.example',
  address: '14 Roastery Yard, London SE1 9GF',
  social: [
    { name: 'linkedin-in', href: 'https://www.linkedin.com/company/northbean' },
    { name: 'instagram', href: 'https://www.instagram.com/northbean' },
    { name: 'youtube', href: 'https://www.youtube.com/@northbean' },
  ],
  legal:
    'Northbean Coffee Ltd, registered in England and Wales. Registered office: 14 Roastery Yard, London SE1 9GF.',
}

/** Large enough for every template. An image process would draw each SVG with 1,200 pixels, which takes 10 s for all. */
async function toPng(drawing: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(drawing, { density: 144 }).resize(480).png().toBuffer()
}

/** Adds a drawn portrait to each person. */
export const withPortraits = (
  db: Db,
  by: Caller,
  parts: Parts,
  rows: readonly DemoRow[],
): Promise<Omit<DemoRow, 'name'>[]> =>
  mapInPairs(rows, async ({ name, email, smart_fields }) => {
    const portrait = { name, filename: `${email.split('@')[0]}.png`, role: 'profile_picture' } as const
    const value = await savePicture(db, by, parts, portrait, async () =>
      toPng(await readDrawnPortrait(email)),
    )
    return { email, smart_fields: [...smart_fields, { smart_field: 'profile_picture', value }] }
  })
