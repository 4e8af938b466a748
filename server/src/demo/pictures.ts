// The drawings of the demo, in the folder `pictures`: the logo, the campaign banners and a portrait of each person.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Readable on white and on dark mails. */
export const brandColour = '#b5502b'

export interface DemoPicture {
  /** In the library of assets. */
  readonly name: string
  readonly filename: string
  readonly role: 'company_logo' | 'banner'
}

/** Without margins: in a mail the bean stands exactly below the text. */
export const logoPicture: DemoPicture = {
  name: 'Northbean logo',
  filename: 'northbean-logo.svg',
  role: 'company_logo',
}

export const bannerPictures = {
  harvest: { name: 'New harvest banner', filename: 'new-harvest.svg', role: 'banner' },
  tasting: { name: 'Tasting box banner', filename: 'tasting-box.svg', role: 'banner' },
  fair: { name: 'Winter fair banner', filename: 'winter-fair.svg', role: 'banner' },
  letter: { name: 'Newsletter banner', filename: 'newsletter.svg', role: 'banner' },
} as const satisfies Record<string, DemoPicture>

const folder = join(import.meta.dirname, 'pictures')

export const readDrawing = (filename: string): Promise<Buffer> => readFile(join(folder, filename))

/** An SVG of 400 × 400 pixels. */
export const readDrawnPortrait = (email: string): Promise<Buffer> =>
  readDrawing(`portraits/${email.split('@')[0]}.svg`)
