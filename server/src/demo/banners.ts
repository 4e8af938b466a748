// The campaign banners of the demo: 960 × 240 units, shown at half the size.
import { drawCircle, drawEllipse, drawLine, drawShape, type Placement, place } from './drawing.ts'
import { drawWords, widthOfWords } from './lettering.ts'

const espresso = '#3b2418'
const cream = '#fbf1e3'
const cherry = '#c8402c'
const terracotta = '#b5502b'
const gold = '#f2b550'
const forest = '#17382e'

/** Everything inside a rounded frame. */
const framed = (background: string, drawing: string): string =>
  `<clipPath id="frame"><rect width="960" height="240" rx="20"/></clipPath><g clip-path="url(#frame)"><rect width="960" height="240" fill="${background}"/>${drawing}</g>`

/** A headline, a line below it, and a button with an arrow. */
function drawMessage(
  [headline, subline, action]: readonly [string, string, string],
  colours: {
    readonly headline: string
    readonly subline: string
    readonly button: string
    readonly label: string
  },
): string {
  const label = { size: 13, colour: colours.label, weight: 20, spacing: 40 }
  const end = 80 + widthOfWords(action, label)
  return (
    drawWords(headline, 56, 92, { size: 25, colour: colours.headline, weight: 21, spacing: 38 }) +
    drawWords(subline, 57, 134, { size: 13.5, colour: colours.subline, weight: 16, spacing: 42 }) +
    `<rect x="55" y="160" width="${end + 2}" height="44" rx="22" fill="${colours.button}"/>` +
    drawWords(action, 79, 188, label) +
    drawLine(`M${end + 14} 182h17m-7-7l7 7l-7 7`, colours.label, 2.6)
  )
}

const drawBean = (placement: Placement, fill: string, crease: string): string =>
  place(
    placement,
    drawEllipse(0, 0, 18, 25, fill) + drawLine('M2-24C-2-14-7-10-4-2S8 10 4 18L2 24', crease, 3.4),
  )

const drawLeaf = (placement: Placement, fill: string, rib: string): string =>
  place(
    placement,
    drawShape('M0 0C14-26 46-34 84-26C104-22 116-10 124 0C108 8 92 20 66 22C36 24 12 16 0 0Z', fill) +
      drawLine(
        'M6 0C40-8 80-8 118-1M34-5L50-20M58-7L76-20M82-6L96-16M34-4L48 12M60-5L78 12M84-5L98 7',
        rib,
        2.2,
      ),
  )

const drawCherry = (x: number, y: number, r: number, fill = cherry): string =>
  drawCircle(x, y, r, fill) +
  drawEllipse(x - r * 0.34, y - r * 0.38, r * 0.26, r * 0.18, '#ffffff', ' opacity=".55"') +
  drawCircle(x + r * 0.1, y + r * 0.82, r * 0.16, '#5c1a12')

/** A branch with leaves and ripe cherries, from the upper right corner. */
const branch =
  drawLine('M1010-20C930 30 850 60 742 66', '#6d4a33', 7) +
  drawLeaf({ x: 930, y: 26, turn: 146, scale: 1.05 }, '#2f7a55', '#58a37c') +
  drawLeaf({ x: 880, y: 50, turn: 68, scale: 1.1 }, '#3b8a62', '#6bb58d') +
  drawLeaf({ x: 806, y: 64, turn: 205, scale: 0.85 }, '#3b8a62', '#6bb58d') +
  drawLeaf({ x: 752, y: 66, turn: 168, scale: 0.9 }, '#2f7a55', '#58a37c') +
  drawLeaf({ x: 790, y: 66, turn: 92, scale: 0.9 }, '#2f7a55', '#58a37c') +
  drawLine('M836 60l6 26M836 60l-16 22M836 60l26 14', '#6d4a33', 3) +
  drawCherry(818, 96, 19) +
  drawCherry(862, 88, 18, '#d8552f') +
  drawCherry(842, 110, 20, '#b5311f') +
  drawCherry(764, 82, 16, '#d8552f') +
  drawCherry(742, 88, 15, '#e2a03a')

export const drawHarvest = (): string =>
  framed(
    forest,
    drawCircle(690, 128, 86, gold) +
      drawCircle(690, 128, 122, gold, ' opacity=".14"') +
      drawCircle(690, 128, 166, gold, ' opacity=".08"') +
      drawShape('M430 240C520 150 600 128 690 160S850 190 960 128V240Z', '#2b6350') +
      drawShape('M380 240C500 190 600 178 720 202S880 218 960 184V240Z', '#225243') +
      drawLine(
        'M470 226C560 196 640 196 722 214S880 236 970 204M520 240C590 216 650 214 730 230S890 250 970 222',
        '#2f6b56',
        3,
      ) +
      branch +
      drawMessage(['The harvest is in', 'Washed, natural and honey lots', 'Order samples'], {
        headline: '#ffffff',
        subline: '#cfe3d8',
        button: terracotta,
        label: '#ffffff',
      }),
  )

const steam = (x: number): string =>
  drawLine(`M${x} 74C${x - 16} 58 ${x + 16} 46 ${x} 28S${x + 12} 4 ${x + 2}-8`, '#e7c9a5', 7)

export const drawTasting = (): string =>
  framed(
    cream,
    drawCircle(760, 150, 150, '#f4dcbd') +
      drawCircle(760, 150, 112, '#efcfa6') +
      steam(730) +
      steam(766) +
      steam(802) +
      drawLine('M842 118C890 108 900 168 838 172', '#ffffff', 15) +
      drawShape('M674 96H850C852 160 828 204 786 208H738C696 204 672 160 674 96Z', '#ffffff') +
      drawShape('M796 96H850C852 160 828 204 786 208H764C792 190 800 150 796 96Z', '#f3e6d6') +
      drawEllipse(762, 96, 88, 17, '#ffffff') +
      drawEllipse(762, 98, 76, 12, '#5a3320') +
      drawEllipse(740, 96, 30, 4, '#8a5636') +
      drawEllipse(762, 214, 132, 11, '#ffffff') +
      drawEllipse(762, 219, 110, 7, '#e3c7a2') +
      drawBean({ x: 604, y: 196, turn: -38, scale: 0.95 }, '#6b3d25', cream) +
      drawBean({ x: 650, y: 212, turn: 52, scale: 0.8 }, espresso, cream) +
      drawBean({ x: 908, y: 202, turn: 28, scale: 0.95 }, '#6b3d25', cream) +
      drawBean({ x: 920, y: 60, turn: -24, scale: 0.7 }, '#d9a878', cream) +
      drawBean({ x: 600, y: 62, turn: 40, scale: 0.7 }, '#d9a878', cream) +
      drawMessage(['Fresh from the farm', 'Six new lots in one tasting box', 'Order samples'], {
        headline: espresso,
        subline: '#7a5a45',
        button: terracotta,
        label: '#ffffff',
      }),
  )

/** A house of the harbour with a stepped gable and lit windows. */
const drawHouse = (x: number, width: number, top: number, fill: string, lit: readonly number[]): string => {
  const step = width / 6
  const gable = `M${x} 206V${top + 26}h${step}v-13h${step}v-13h${step * 2}v13h${step}v13h${step}V206Z`
  const windows = Array.from({ length: 9 }, (_, n) => {
    const left = x + width * 0.2 + (n % 3) * width * 0.235
    const y = top + 36 + Math.floor(n / 3) * 26
    if (y > 186) return ''
    return `<rect x="${left}" y="${y}" width="${width * 0.13}" height="14" rx="1.5" fill="${lit.includes(n) ? gold : '#0d1a2e'}"/>`
  })
  return drawShape(gable, fill) + windows.join('')
}

const snow = Array.from({ length: 46 }, (_, n) => {
  const x = (n * n * 37 + n * 211) % 960
  const y = (n * n * 23 + n * 61 + 9) % 196
  return drawCircle(x, y, 1.2 + (n % 3) * 0.7, '#ffffff', ` opacity="${0.25 + (n % 4) * 0.13}"`)
}).join('')

export const drawWinterFair = (): string =>
  framed(
    '#14243f',
    drawCircle(884, 58, 27, '#f6e3b8') +
      drawCircle(895, 51, 23, '#14243f') +
      snow +
      drawShape('M690 206V94H697L704 64V52H702V48H704V26H708V48H710V52H708V64L715 94H722V206Z', '#24395c') +
      drawCircle(706, 110, 8, '#f6e3b8') +
      drawShape('M520 206V150L548 138V206Z', '#1d3050') +
      drawHouse(548, 66, 98, '#6b2f2a', [0, 2, 4, 7]) +
      drawHouse(616, 74, 82, '#7d3a2d', [1, 3, 5, 6, 8]) +
      drawHouse(722, 70, 104, '#6b2f2a', [0, 1, 5]) +
      drawShape('M796 206V120C806 104 818 118 830 106S856 92 868 108S896 96 910 86V206Z', '#2c4a72') +
      drawLine('M796 146H910M796 168H910M796 190H910M824 120V206M852 108V206M882 108V206', '#4a6c98', 2) +
      drawShape('M794 162H912V206H794Z', '#5f2c2a') +
      drawShape('M500 206H960V240H500Z', '#0e1b31') +
      drawShape('M430 240C470 208 520 206 560 206H960V240Z', '#0e1b31') +
      drawLine(
        'M576 218h44M650 226h30M640 216h16M700 218h70M790 228h46M846 217h70M884 231h40',
        gold,
        2.6,
        ' opacity=".55"',
      ) +
      drawMessage(['Meet us in Hamburg', 'At the winter coffee fair', 'Reserve a table'], {
        headline: '#ffffff',
        subline: '#b9c9e4',
        button: gold,
        label: '#2a1a0a',
      }),
  )

const drawBlossom = (placement: Placement): string =>
  place(
    placement,
    [0, 72, 144, 216, 288]
      .map(turn =>
        place({ x: 0, y: 0, turn }, drawShape('M0 0C-13-12-12-34 0-44C12-34 13-12 0 0Z', '#ffffff')),
      )
      .join('') +
      drawCircle(0, 0, 7, gold) +
      [36, 108, 180, 252, 324]
        .map(turn => place({ x: 0, y: 0, turn }, drawLine('M0-4V-15', '#d99a35', 2)))
        .join(''),
  )

export const drawLetter = (): string =>
  framed(
    '#dcebdf',
    drawCircle(800, 250, 190, '#c6dfcc') +
      drawLine('M560 262C640 190 740 150 980 118', '#6b7f5a', 6) +
      drawLeaf({ x: 636, y: 206, turn: -112, scale: 0.95 }, '#3b8a62', '#7dc09c') +
      drawLeaf({ x: 690, y: 178, turn: 34, scale: 0.95 }, '#2f7a55', '#58a37c') +
      drawLeaf({ x: 770, y: 150, turn: -100, scale: 1.05 }, '#2f7a55', '#58a37c') +
      drawLeaf({ x: 830, y: 138, turn: 28, scale: 1 }, '#3b8a62', '#7dc09c') +
      drawLeaf({ x: 890, y: 128, turn: -84, scale: 0.95 }, '#3b8a62', '#7dc09c') +
      drawBlossom({ x: 690, y: 160, turn: 10, scale: 0.95 }) +
      drawBlossom({ x: 742, y: 184, turn: 40, scale: 0.75 }) +
      drawBlossom({ x: 830, y: 118, turn: -12, scale: 1.1 }) +
      drawBlossom({ x: 880, y: 160, turn: 25, scale: 0.8 }) +
      drawBlossom({ x: 620, y: 216, turn: 0, scale: 0.7 }) +
      drawMessage(['Stories from origin', 'Our newsletter, four times a year', 'Read the first one'], {
        headline: forest,
        subline: '#3f6353',
        button: forest,
        label: '#ffffff',
      }),
  )
