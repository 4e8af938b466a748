// The content tree: its type, and its published JSON Schema.
import { dividerDirections } from './blocks/divider.ts'
import { blockSchemas, rootSchema, type Stack, stackable } from './blocks/index.ts'
import {
  aligns,
  buttonVariants,
  colorRules,
  directions,
  dirs,
  formatPatterns,
  qrContents,
  shapes,
  verticalAligns,
} from './fields.ts'
import { iconNames } from './icons.ts'
import { fontFamilies, fontStyles, fontWeights, textDecorations, textTransforms } from './style/style.ts'
import { tokenTypes } from './tokens.ts'

export type { Block } from './blocks/index.ts'
/** The root block. */
export interface Content extends Stack {
  readonly dir?: (typeof dirs)[number]
}

export const limits = { depth: 12, blocks: 500, bytes: 256 * 1024 } as const

/** The schema without our own keywords and formats, which other validators refuse. Patterns say most of a format. */
const published = <T>(schemas: T): T =>
  JSON.parse(JSON.stringify(schemas), (key, value) => {
    if (key === 'refersTo' || key === 'fieldKind') return undefined
    if (typeof value !== 'object' || value === null || typeof value.format !== 'string') return value
    const { format, ...rest } = value
    // The pattern of colours is long, and stands in one place.
    if (format === 'color') return { $ref: '#/$defs/color' }
    const pattern = formatPatterns[format as string]
    return pattern === undefined ? rest : { ...rest, pattern }
  })

/** JSON Schema 2020-12. */
export const contentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Content block tree',
  description: `One stack at the root. At most ${limits.depth} levels deep, ${limits.blocks} blocks and ${limits.bytes / 1024} KB of JSON. Ids are unique in the tree; those left out are filled in. Campaign content has no marketing block, no queryParams and no vcard in href.`,
  $ref: '#/$defs/root',
  $defs: {
    ...published({ ...blockSchemas, root: rootSchema }),
    color: { type: 'string', ...colorRules, pattern: formatPatterns.color },
  },
}

export const enums = {
  blockType: Object.keys(blockSchemas),
  stackChild: stackable,
  tokenType: tokenTypes,
  dir: dirs,
  direction: directions,
  dividerDirection: dividerDirections,
  align: aligns,
  verticalAlign: verticalAligns,
  shape: shapes,
  buttonVariant: buttonVariants,
  qrContent: qrContents,
  iconName: iconNames,
  fontFamily: fontFamilies,
  fontWeight: fontWeights,
  fontStyle: fontStyles,
  textDecoration: textDecorations,
  textTransform: textTransforms,
} as const
