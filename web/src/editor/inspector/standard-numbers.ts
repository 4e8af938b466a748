// The numbers that apply while a field of the inspector is empty. A test compares them with the renderer.
import type { AnyBlock } from '#records/content/block.ts'

type Numbers = Readonly<Record<string, number>>

function numbersOf(block: AnyBlock): Numbers {
  switch (block.type) {
    case 'stack':
      return { gap: 0 }
    case 'list':
      return { iconSize: 16, gap: block.direction === 'row' ? 16 : 4 }
    case 'socialList':
      return { iconSize: 24, gap: 8 }
    case 'icon':
      return { size: 24 }
    case 'qrCode':
      return { size: 96 }
    case 'divider':
      return { thickness: 1 }
    case 'button':
      return { borderRadius: 4 }
    default:
      return {}
  }
}

/** Undefined where the number depends on the content, such as the height of a picture. */
export const standardNumber = (block: AnyBlock, name: string): number | undefined => numbersOf(block)[name]

/** Of a line, in pixels. */
export const standardLineHeight = (fontSize = 14): number => Math.round(fontSize * 1.4)
