// The logo and the campaign banners of the demo.
import { drawHarvest, drawLetter, drawTasting, drawWinterFair } from './banners.ts'
import { place, svgFile } from './drawing.ts'
import { drawWords, widthOfWords } from './lettering.ts'

/** Readable on white and on dark mails. */
export const brandColour = '#b5502b'

const markMask =
  '<mask id="crease"><rect x="-60" y="-60" width="120" height="120" fill="#fff"/><path d="M4-58C-2-38-13-26-9-9S15 18 10 36C8 44 3 50-4 58" fill="none" stroke="#000" stroke-width="8.5"/></mask>'

/** A coffee bean; its crease is cut out, so every background shows through. */
const mark = `${markMask}<ellipse rx="36" ry="49" fill="${brandColour}" mask="url(#crease)"/>`

const wordmark = { size: 44, colour: brandColour, weight: 23, spacing: 38 }
/** Without margins: in a mail the bean stands exactly below the text. */
const logo = svgFile(
  115 + widthOfWords('northbean', wordmark),
  92,
  place({ x: 40.5, y: 46, turn: 33 }, mark) + drawWords('northbean', 109, 75, wordmark),
)

export interface DemoPicture {
  readonly name: string
  readonly filename: string
  readonly role: 'company_logo' | 'profile_picture' | 'banner'
  readonly bytes: Buffer
}

const bannerFile = (name: string, filename: string, drawing: string): DemoPicture => ({
  name,
  filename,
  role: 'banner',
  bytes: svgFile(960, 240, drawing, 0.5),
})

export const logoPicture: DemoPicture = {
  name: 'Northbean logo',
  filename: 'northbean-logo.svg',
  role: 'company_logo',
  bytes: logo,
}

export const bannerPictures = {
  harvest: bannerFile('New harvest banner', 'new-harvest.svg', drawHarvest()),
  tasting: bannerFile('Tasting box banner', 'tasting-box.svg', drawTasting()),
  fair: bannerFile('Winter fair banner', 'winter-fair.svg', drawWinterFair()),
  letter: bannerFile('Newsletter banner', 'newsletter.svg', drawLetter()),
} as const
