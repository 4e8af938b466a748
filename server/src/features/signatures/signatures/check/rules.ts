// Checks content before it is published: problems of the content, and of its recipients' values.
import { isDeepStrictEqual } from 'node:util'
import type { Content, ContentReference } from '@signoff/render'
import { findAssets, findAssetsAt } from '#features/content/assets/index.ts'
import { referencesOf } from '#features/content/content/index.ts'
import type { Tracking } from '#features/measurement/tracking/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { uuid } from '#kernel/api/validation.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { withTimeLimit } from '#kernel/db/time-limit.ts'
import { findSignature } from '../queries.ts'
import type { Signature } from '../schemas.ts'
import { findVariants, type StoredVariant } from '../variants/queries.ts'
import type { VariantKind } from '../variants/schemas.ts'
import { lowContrast } from './codes/contrast.ts'
import { linkWithoutTarget, unreachableAddress } from './codes/links.ts'
import { imageOversized, missingAlt, unsupportedImage } from './codes/pictures.ts'
import { literalPlaceholder, textTooSmall } from './codes/texts.ts'
import { missingValues } from './codes/values.ts'
import { nothingToShow, tooLong, variantNotActive } from './codes/whole.ts'
import { notMobile } from './codes/widths.ts'
import { blockName } from './names.ts'
import type { CheckCode, CheckInputs, CheckRule, Finding, Severity } from './problems.ts'
import { countInactive, countRecipients, countValues } from './queries.ts'
import { compileForCheck, isEmptyForAll, lengthOf, valuesMilliseconds, webLinksOf } from './rendering.ts'
import { severities } from './schemas.ts'
import { visibleBlocks } from './tree.ts'

const checkRules: Readonly<Record<CheckCode, CheckRule>> = {
  nothing_to_show: nothingToShow,
  unreachable_address: unreachableAddress,
  missing_values: missingValues,
  low_contrast: lowContrast,
  text_too_small: textTooSmall,
  unsupported_image: unsupportedImage,
  literal_placeholder: literalPlaceholder,
  too_long: tooLong,
  image_oversized: imageOversized,
  variant_not_active: variantNotActive,
  link_without_target: linkWithoutTarget,
  missing_alt: missingAlt,
  not_mobile: notMobile,
}

const maxProblems = 100

export interface FoundProblem {
  readonly code: CheckCode
  readonly severity: Severity
  readonly message: string
  readonly blocks: readonly { readonly id: string; readonly name: string; readonly path: string }[]
  readonly recipients_affected: number
  readonly smart_field?: string
}

export interface CheckResult {
  readonly recipients: number
  readonly problems: readonly FoundProblem[]
}

export interface CheckDeps {
  readonly publicUrl: string
  /** Null: views and clicks are not tracked. */
  readonly tracking: Tracking | null
}

export interface CheckSubject {
  readonly workspaceId: string
  readonly signatureId: string
  readonly draft_content: Content | null
  readonly content: Content | null
  /** A hidden variant is meant to show nothing. */
  readonly isHidden: boolean
  readonly inactiveVariants: readonly VariantKind[]
}

const inactiveKinds = (variants: readonly StoredVariant[]): readonly VariantKind[] =>
  variants.filter(({ content, activated }) => content !== null && !activated).map(variant => variant.kind)

/** The draft, or the published content without one, of the signature or of one of its variants. */
export async function checkSignature(
  db: Db,
  workspaceId: string,
  id: string,
  kind: VariantKind | undefined,
  deps: CheckDeps,
): Promise<CheckResult> {
  const { id: signatureId, draft_content, content } = orNotFound(await findSignature(db, workspaceId, id))
  const variants = orNotFound(await findVariants(db, workspaceId, signatureId, kind))
  const subject = { workspaceId, signatureId, inactiveVariants: inactiveKinds(variants) }
  if (kind === undefined)
    return checkContent(db, { ...subject, draft_content, content, isHidden: false }, deps)
  const [variant] = variants
  if (!variant) throw apiError('variant_not_created')
  const { hidden: isHidden } = variant
  const contents = { draft_content: variant.draft_content, content: variant.content }
  return checkContent(db, { ...subject, ...contents, isHidden }, deps)
}

/** Checks a publish of the signature itself. */
export async function subjectOf(
  db: Db,
  workspaceId: string,
  { id, draft_content, content }: Pick<Signature, 'id' | 'draft_content' | 'content'>,
): Promise<CheckSubject> {
  const inactiveVariants = inactiveKinds((await findVariants(db, workspaceId, id)) ?? [])
  return { workspaceId, signatureId: id, draft_content, content, isHidden: false, inactiveVariants }
}

/** A check that was made before the signature was locked. */
interface EarlyCheck {
  readonly subject: CheckSubject
  readonly result: CheckResult
}

/** A publish checks before it locks the signature: a check reads the values of thousands of recipients. */
export const checkEarly = async (db: Db, subject: CheckSubject, deps: CheckDeps): Promise<EarlyCheck> => ({
  subject,
  result: await checkContent(db, subject, deps),
})

/** The early check, unless another request has changed the signature since. */
export const checkOf = async (
  tx: Db,
  early: EarlyCheck | undefined,
  subject: CheckSubject,
  deps: CheckDeps,
): Promise<CheckResult> =>
  early && isDeepStrictEqual(early.subject, subject) ? early.result : checkContent(tx, subject, deps)

/** Throws when the check has an error, unless the caller forces the publish. */
export function refuseErrors(
  { problems }: CheckResult,
  { draft_content }: Pick<CheckSubject, 'draft_content'>,
  force = false,
): void {
  const [first] = problems
  if (force || first?.severity !== 'error') return
  const field = draft_content ? 'draft_content' : 'content'
  throw invalid(field, 'nothing_to_show')
}

export async function checkContent(db: Db, subject: CheckSubject, deps: CheckDeps): Promise<CheckResult> {
  const inputs = await inputsFor(db, subject, deps)
  const findings = Object.values(checkRules).flatMap(rule => rule(inputs))
  const rank = ({ severity }: Finding): number => severities.indexOf(severity)
  const problems = findings
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, maxProblems)
    .map(({ recipientsAffected = inputs.recipients, blocks, code, severity, message, smartField }) => ({
      code,
      severity,
      message,
      blocks: blocks.map(placed => ({
        id: placed.block.id ?? '',
        name: blockName(placed, inputs),
        path: placed.path,
      })),
      recipients_affected: recipientsAffected,
      ...(smartField !== undefined && { smart_field: smartField }),
    }))
  return { recipients: inputs.recipients, problems }
}

const idsOf = (references: readonly ContentReference[], kind: ContentReference['kind']): string[] => [
  ...new Set(
    references
      .filter(reference => reference.kind === kind && uuid.test(reference.id))
      .map(reference => reference.id.toLowerCase()),
  ),
]

/** A fixed number of statements, whatever the number of recipients. */
async function inputsFor(db: Db, subject: CheckSubject, deps: CheckDeps): Promise<CheckInputs> {
  const { workspaceId, signatureId, inactiveVariants, isHidden } = subject
  const { publicUrl, tracking } = deps
  const content = subject.draft_content ?? subject.content
  const field = subject.draft_content ? 'draft_content' : 'content'
  const references = referencesOf(content)
  const blocks = content ? visibleBlocks(content, field) : []
  const sources = blocks.flatMap(({ block }) => block.src ?? [])
  const fields = await smartFieldsOf(db, workspaceId)
  const assets = await findAssets(db, workspaceId, publicUrl, idsOf(references, 'asset'))
  const assetsAt = await findAssetsAt(db, workspaceId, publicUrl, sources)
  const inactive = await withTimeLimit(db, valuesMilliseconds, tx =>
    countInactive(tx, workspaceId, signatureId),
  )
  const recipients = (await countRecipients(db, workspaceId, signatureId)) - (inactive ?? 0)
  const among = { workspaceId, signatureId, recipients }
  const usedFields = idsOf(references, 'smart_field')
  const values = await withTimeLimit(db, valuesMilliseconds, tx => countValues(tx, among, usedFields))
  const isTracked = tracking !== null && (await tracking.trackerOf(db, workspaceId)) !== null
  const rendering = {
    ...among,
    blocks,
    fields,
    usedFields,
    values: values ?? { counted: 0, byField: new Map() },
    publicUrl,
    isTracked,
  }
  const template = content && (await compileForCheck(db, rendering, content))
  return {
    ...rendering,
    fields: new Map(fields.map(smartField => [smartField.id, smartField])),
    assets: new Map(assets.map(asset => [asset.id, asset])),
    assetsByUrl: new Map(assetsAt.map(asset => [asset.url, asset])),
    inactiveVariants,
    webLinks: template ? webLinksOf(template, fields) : new Set(),
    isEmpty: !isHidden && (template === null || (await isEmptyForAll(db, template, rendering))),
    length: template ? await lengthOf(db, template, rendering) : { longest: 0, tooLong: 0 },
  }
}
