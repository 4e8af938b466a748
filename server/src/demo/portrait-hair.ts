// Hair of the drawn portraits: a part behind the head and a part before it, around a face from (66, 47) to (134, 138).

import { drawCircle, drawShape } from './drawing.ts'

const circles = (points: readonly (readonly [x: number, y: number, r: number])[], fill: string): string =>
  points.map(([x, y, r]) => drawCircle(x, y, r, fill)).join('')

type Draw = (ink: string, cloth: string) => { readonly back?: string; readonly front?: string }

const cap =
  'M63 92C58 56 76 35 100 35C124 35 142 56 137 92C134 78 130 70 124 64C108 60 92 60 76 64C70 70 66 78 63 92Z'
const parted =
  'M62 98C56 54 78 34 102 34C126 34 144 54 138 98C135 80 128 68 112 56C100 70 80 76 68 78C65 84 63 90 62 98Z'
const middle = 'M62 100C55 54 76 33 100 33C124 33 145 54 138 100C134 76 120 58 100 50C80 58 66 76 62 100Z'
const bangs =
  'M60 118C54 60 74 33 100 33C126 33 146 60 140 118C138 104 136 90 132 76C112 79 88 79 68 76C64 90 62 104 60 118Z'

const styles = {
  short: ink => ({
    front: drawShape(
      'M63 90C56 60 72 40 92 37C104 30 130 36 136 54C140 66 139 80 137 90C134 80 132 74 128 68C110 74 88 72 78 64C70 70 66 78 63 90Z',
      ink,
    ),
  }),
  crop: ink => ({ front: drawShape(cap, ink) }),
  quiff: ink => ({
    front: drawShape(
      'M63 92C60 74 62 60 72 52C74 36 104 22 128 34C140 40 142 66 137 92C134 80 131 74 126 70C112 64 96 66 82 60C72 68 66 78 63 92Z',
      ink,
    ),
  }),
  curls: ink => ({
    front: circles(
      [
        [72, 62, 13],
        [84, 48, 14],
        [100, 43, 15],
        [116, 48, 14],
        [128, 62, 13],
        [66, 76, 8],
        [134, 76, 8],
        [92, 58, 9],
        [108, 58, 9],
      ],
      ink,
    ),
  }),
  afro: ink => ({
    back: circles(
      [
        [100, 76, 54],
        [58, 92, 20],
        [142, 92, 20],
      ],
      ink,
    ),
    front: drawShape(
      'M62 92C58 56 76 38 100 38C124 38 142 56 138 92C134 76 122 66 100 66C78 66 66 76 62 92Z',
      ink,
    ),
  }),
  bald: () => ({}),
  long: ink => ({
    back: drawShape(
      'M56 96C48 48 74 29 100 29C126 29 152 48 144 96C144 126 150 146 154 166C138 178 62 178 46 166C50 146 56 126 56 96Z',
      ink,
    ),
    front: drawShape(parted, ink),
  }),
  wavy: ink => ({
    back: drawShape(
      'M58 92C48 46 76 28 100 28C124 28 152 46 142 92C154 104 144 116 152 128C160 140 150 152 156 166C140 176 60 176 44 166C50 152 40 140 48 128C56 116 46 104 58 92Z',
      ink,
    ),
    front: drawShape(middle, ink),
  }),
  bob: ink => ({
    back: drawShape(
      'M58 92C50 48 76 30 100 30C124 30 150 48 142 92C144 108 146 124 142 136C128 144 72 144 58 136C54 124 56 108 58 92Z',
      ink,
    ),
    front: drawShape(bangs, ink),
  }),
  fringe: ink => ({
    back: drawShape(
      'M56 92C48 48 74 29 100 29C126 29 152 48 144 92C146 118 148 144 148 168C132 176 68 176 52 168C52 144 54 118 56 92Z',
      ink,
    ),
    front: drawShape(bangs, ink),
  }),
  bun: ink => ({
    back: circles([[100, 26, 18]], ink),
    front: drawShape(middle, ink),
  }),
  ponytail: ink => ({
    back: drawShape(
      'M128 56C156 56 164 84 158 112C156 128 162 140 168 150C150 152 140 140 138 122C136 100 138 80 128 56Z',
      ink,
    ),
    front: drawShape(parted, ink),
  }),
  pixie: ink => ({
    front: drawShape(
      'M62 100C54 58 74 34 102 34C128 34 146 58 138 98C136 84 132 76 128 70C118 78 90 84 72 82C68 88 66 92 66 104Z',
      ink,
    ),
  }),
  side: ink => ({
    back: drawShape(
      'M58 92C50 48 76 30 100 30C124 30 150 48 142 92C144 118 150 134 140 160C126 168 118 150 122 128L72 108C60 106 58 100 58 92Z',
      ink,
    ),
    front: drawShape(parted, ink),
  }),
  receding: ink => ({
    front:
      drawShape('M62 96C58 78 60 66 68 58C70 64 70 70 70 76C68 82 66 88 66 98Z', ink) +
      drawShape('M138 96C142 78 140 66 132 58C130 64 130 70 130 76C132 82 134 88 134 98Z', ink) +
      drawShape('M82 50C88 44 112 44 118 50C112 47.5 88 47.5 82 50Z', ink),
  }),
  headscarf: (_, cloth) => ({
    back: drawShape(
      'M54 96C48 46 76 26 100 26C124 26 152 46 146 96C148 128 150 150 152 172C132 186 68 186 48 172C50 150 52 128 54 96Z',
      cloth,
    ),
    front:
      `<path fill-rule="evenodd" d="M56 92C54 50 78 32 100 32C122 32 146 50 144 92C146 118 136 142 122 154C108 160 92 160 78 154C64 142 54 118 56 92ZM69 92C69 116 82 136 100 136C118 136 131 116 131 92C131 70 118 56 100 56C82 56 69 70 69 92Z" fill="${cloth}"/>` +
      `<path d="M60 120C72 150 104 158 138 140C130 162 84 170 62 152Z" fill="#000000" opacity=".1"/>`,
  }),
} satisfies Readonly<Record<string, Draw>>

export type HairStyle = keyof typeof styles

export function drawHair(
  style: HairStyle,
  ink: string,
  cloth: string,
): { readonly back: string; readonly front: string } {
  const { back = '', front = '' }: ReturnType<Draw> = (styles[style] as Draw)(ink, cloth)
  return { back, front }
}
