// What a check finds, and the data that the checks read.
import type { Rendered } from '@signoff/render'
import type { StoredAsset } from '#features/content/assets/index.ts'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import type { VariantKind } from '../variants/schemas.ts'
import type { checkCodes, severities } from './schemas.ts'
import type { PlacedBlock } from './tree.ts'

export type CheckCode = (typeof checkCodes)[number]
export type Severity = (typeof severities)[number]

/** One cause, with every block it concerns. */
export interface Finding {
  readonly code: CheckCode
  readonly severity: Severity
  readonly message: string
  readonly blocks: readonly PlacedBlock[]
  /** Left out: all recipients. */
  readonly recipientsAffected?: number
  /** The label of the smart field that the problem is about. */
  readonly smartField?: string
}

/** Number of recipients with a value for a smart field, and bytes of the longest value. */
export interface FieldCoverage {
  readonly filled: number
  readonly longest: number
}

export interface ValueCounts {
  /** Number of recipients who were counted: all, or a sample; 0 when PostgreSQL took too long. */
  readonly counted: number
  /** Counts by smart field id. A field without an entry has no value for any recipient that was counted. */
  readonly byField: ReadonlyMap<string, FieldCoverage>
}

export interface CheckInputs {
  /** The visible blocks; empty when there is no content. */
  readonly blocks: readonly PlacedBlock[]
  readonly fields: ReadonlyMap<string, SmartField>
  /** Assets by id. */
  readonly assets: ReadonlyMap<string, StoredAsset>
  /** Assets of this workspace that blocks show by their address in `src`, by that address. */
  readonly assetsByUrl: ReadonlyMap<string, StoredAsset>
  readonly recipients: number
  readonly values: ValueCounts
  readonly publicUrl: string
  /** Views and clicks are tracked: every mail has a pixel and links to this service. */
  readonly isTracked: boolean
  /** The ids of blocks and tokens that link to the web. */
  readonly webLinks: ReadonlySet<string>
  /** Variants that are published and switched off. */
  readonly inactiveVariants: readonly VariantKind[]
  /** No recipient would see anything. */
  readonly isEmpty: boolean
  /** The longest HTML found, and how many recipients get one that is too long. */
  readonly length: { readonly longest: Rendered['html']['length']; readonly tooLong: number }
}

/** Checks for one code. */
export type CheckRule = (inputs: CheckInputs) => readonly Finding[]

/** One finding for these blocks, or none when there are no blocks. */
export const findingFor = (
  finding: Omit<Finding, 'severity' | 'blocks'> & { readonly severity?: Severity },
  blocks: readonly PlacedBlock[],
): readonly Finding[] =>
  blocks.length === 0 ? [] : [{ severity: 'warning', ...finding, blocks: [...new Set(blocks)] }]

export const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''
