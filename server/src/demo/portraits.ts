// Drawn portraits for the people of the demo: flat illustrations, put together from a few shapes. The same name gives the
// same picture.
import { hash } from 'node:crypto'
import { drawEllipse, drawLine, drawShape, svgFile } from './drawing.ts'
import { drawHair, type HairStyle } from './portrait-hair.ts'

const skins = ['#ffdcc8', '#f5c6a5', '#e6aa80', '#c98a5e', '#9c6240', '#6f432c'] as const
const hairColours = {
  black: '#23202b',
  espresso: '#3d2a24',
  brown: '#6b4432',
  chestnut: '#8c5336',
  copper: '#b9602f',
  blond: '#dcb15f',
  grey: '#a7a9b4',
} as const
const backgrounds = [
  '#dfe8f7',
  '#fde6d3',
  '#dcefe6',
  '#f6dfe4',
  '#e9e2f5',
  '#fbefc9',
  '#d8eef2',
  '#ece7df',
] as const
const cloths = [
  '#2f5d50',
  '#27466f',
  '#8a3b4a',
  '#d9a441',
  '#4b3f72',
  '#e07a5f',
  '#3c4a57',
  '#b9c5d8',
  '#577590',
] as const
const garments = ['blazer', 'shirt', 'crew', 'turtleneck', 'hoodie', 'vneck'] as const

export interface PortraitTraits {
  /** From light to dark. */
  readonly skin: number
  readonly hair: HairStyle
  readonly colour: keyof typeof hairColours
  readonly extras: readonly (
    | 'glasses'
    | 'round'
    | 'beard'
    | 'stubble'
    | 'moustache'
    | 'earrings'
    | 'freckles'
  )[]
}

type Garment = (typeof garments)[number]

/** A darker or lighter tone of a colour. */
function shade(colour: string, factor: number): string {
  const channels = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
  const mixed = channels.map(value =>
    Math.round(factor < 1 ? value * factor : value + (255 - value) * (factor - 1)),
  )
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

const shoulders = 'M18 200C20 168 46 157 80 149C92 156 108 156 120 149C154 157 180 168 182 200Z'

/** What lies over the neck, by garment. */
const collars: Readonly<Record<Garment, (cloth: string) => string>> = {
  crew: cloth => drawLine('M79 150C88 163 112 163 121 150', shade(cloth, 0.82), 5),
  vneck: cloth => drawLine('M78 150L100 178L122 150', shade(cloth, 0.8), 5),
  turtleneck: cloth =>
    drawShape('M80 136C92 143 108 143 120 136L122 156C108 164 92 164 78 156Z', shade(cloth, 1.12)) +
    drawLine('M80 145C93 152 107 152 120 145', shade(cloth, 0.9), 1.5),
  shirt: cloth =>
    drawShape('M80 147L66 160L88 176L100 160L112 176L134 160L120 147L100 163Z', shade(cloth, 1.25)) +
    drawLine('M100 163V200', shade(cloth, 0.85), 2) +
    drawEllipse(100, 184, 1.8, 1.8, shade(cloth, 0.7)),
  hoodie: cloth =>
    drawShape(
      'M74 146C60 156 58 168 66 178C80 166 120 166 134 178C142 168 140 156 126 146C112 160 88 160 74 146Z',
      shade(cloth, 0.85),
    ) + drawLine('M90 170V188M110 170V186', '#ffffff', 2.4, ' opacity=".85"'),
  blazer: cloth =>
    drawShape('M80 149L100 196L120 149C112 160 88 160 80 149Z', '#f8f7f4') +
    drawShape(
      'M80 148L60 158L72 172L64 178L96 200H104L136 178L128 172L140 158L120 148L100 192Z',
      shade(cloth, 0.84),
    ),
}

function drawFace(skin: string, ink: string, smile: number): string {
  const dark = shade(skin, 0.78)
  const lips = shade(skin, 0.62)
  const eye = (x: number) =>
    drawEllipse(x, 95, 3.7, 4.5, '#2a2530') + drawEllipse(x + 1.3, 93.3, 1.2, 1.2, '#ffffff')
  const mouths = [
    drawLine('M89 117C94 124 106 124 111 117', lips, 3),
    drawShape('M87 115C92 128 108 128 113 115C104 118 96 118 87 115Z', '#ffffff') +
      drawLine('M87 115C92 128 108 128 113 115C104 118 96 118 87 115Z', lips, 2),
    drawLine('M91 118C97 122 105 122 110 116', lips, 3),
  ]
  return (
    eye(86) +
    eye(114) +
    drawLine('M79 84C83 80.5 89 80.5 93 83', ink, 3) +
    drawLine('M107 83C111 80.5 117 80.5 121 84', ink, 3) +
    drawLine('M101 97C99 102 97 106 98 108C99 109.5 102 109.5 104 108.5', dark, 2.4) +
    (mouths[smile] ?? '')
  )
}

const beards: Readonly<Record<string, (ink: string) => string>> = {
  beard: ink =>
    drawShape(
      'M66 98C66 130 84 142 100 142C116 142 134 130 134 98C130 108 124 111 114 110C106 108 94 108 86 110C76 111 70 108 66 98Z',
      ink,
    ),
  stubble: ink =>
    drawShape(
      'M66 98C66 122 82 138 100 138C118 138 134 122 134 98C130 110 122 112 114 111C106 109 94 109 86 111C78 112 70 110 66 98Z',
      ink,
      ' opacity=".28"',
    ),
  moustache: ink =>
    drawShape(
      'M84 115C88 109 96 108.5 100 111C104 108.5 112 109 116 115C110 117 104 115.5 100 113.500C96 115.5 90 117 84 115Z',
      ink,
    ),
}

const frames: Readonly<Record<string, string>> = {
  glasses: `<g fill="#ffffff" fill-opacity=".22" stroke="#2d2a36" stroke-width="2.6"><rect x="74" y="86" width="22" height="18" rx="5"/><rect x="104" y="86" width="22" height="18" rx="5"/></g>${drawLine('M96 93C98 91.5 102 91.5 104 93M74 92L66 90M126 92L134 90', '#2d2a36', 2.4)}`,
  round: `<g fill="#ffffff" fill-opacity=".22" stroke="#8a5a2b" stroke-width="2.2"><circle cx="86" cy="95" r="11.5"/><circle cx="114" cy="95" r="11.5"/></g>${drawLine('M97.5 94C99 92.5 101 92.5 102.5 94M74.5 93L66 91M125.5 93L134 91', '#8a5a2b', 2.2)}`,
}

const freckles = (skin: string): string =>
  [
    [77, 103],
    [82, 105],
    [88, 104],
    [112, 104],
    [118, 105],
    [123, 103],
  ]
    .map(([x = 0, y = 0]) => drawEllipse(x, y, 1.1, 1.1, shade(skin, 0.72)))
    .join('')

/** A number that follows from the name, different for each purpose. */
const numberOf = (name: string, purpose: string): number =>
  Number.parseInt(hash('sha256', `${purpose} ${name}`).slice(0, 8), 16)

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

/** An SVG of 400 × 400 pixels. */
export function drawPortrait(name: string, { skin: tone, hair, colour, extras }: PortraitTraits): Buffer {
  const skin = pick(skins, tone)
  const ink = hairColours[colour]
  const background = pick(backgrounds, numberOf(name, 'background'))
  const cloth = pick(cloths, numberOf(name, 'cloth'))
  const garment = pick(garments, numberOf(name, 'garment'))
  const { back, front } = drawHair(hair, ink, cloth)
  const has = (extra: PortraitTraits['extras'][number]) => extras.includes(extra)
  const beard = extras.map(extra => beards[extra]?.(ink) ?? '').join('')
  const figure = [
    back,
    drawShape('M84 118V150C92 160 108 160 116 150V118Z', skin),
    drawShape('M84 128C92 144 108 144 116 128V136C108 150 92 150 84 136Z', shade(skin, 0.84)),
    drawShape(shoulders, cloth),
    drawShape('M80 149C92 166 108 166 120 149L116 143H84Z', skin),
    collars[garment](cloth),
    drawEllipse(65.5, 97, 7, 10, shade(skin, 0.93)) + drawEllipse(134.5, 97, 7, 10, shade(skin, 0.93)),
    drawShape(
      'M66 84C66 58 80 47 100 47C120 47 134 58 134 84V98C134 122 118 138 100 138C82 138 66 122 66 98Z',
      skin,
    ),
    drawEllipse(79, 108, 7, 4.5, '#e0655a', ' opacity=".18"') +
      drawEllipse(121, 108, 7, 4.5, '#e0655a', ' opacity=".18"'),
    has('beard') || has('stubble') ? beard : '',
    drawFace(
      skin,
      shade(ink, colour === 'blond' || colour === 'grey' ? 0.7 : 0.9),
      numberOf(name, 'smile') % 3,
    ),
    has('moustache') ? beard : '',
    has('freckles') ? freckles(skin) : '',
    has('earrings') ? drawEllipse(65, 109, 3, 3, '#f2c14e') + drawEllipse(135, 109, 3, 3, '#f2c14e') : '',
    front,
    extras.map(extra => frames[extra] ?? '').join(''),
  ]
  const ground =
    `<rect width="200" height="200" fill="${background}"/>` +
    drawEllipse(100, 104, 84, 84, shade(background, 1.45))
  const placed = `<g transform="translate(-11 -9) scale(1.11)">${figure.join('')}</g>`
  return svgFile(200, 200, ground + placed, 2)
}
