// Checks content against its schema and reports all problems, each with its full path. The schema is compiled into
// functions once.
import { imageSources } from './blocks/image.ts'
import { blockSchemas, rootSchema } from './blocks/index.ts'
import type { ReferenceKind } from './fields.ts'
import { addressKeys } from './links/href.ts'
import { safeUrl } from './links/links.ts'
import { parseColor } from './style/colors.ts'
import type { Problem, ProblemCode } from './types.ts'
import { beyondLimits } from './walk.ts'

export interface ContentReference {
  readonly kind: ReferenceKind
  readonly id: string
  readonly field: string
  /** The kind that the smart field must have. */
  readonly fieldKind?: 'image'
}

export interface ValidationResult {
  readonly problems: readonly Problem[]
  /** The caller checks that they exist in the workspace. */
  readonly references: readonly ContentReference[]
}

export interface ValidateOptions {
  /** The name of the field with the content. Paths begin with it. */
  readonly field: string
  /** Campaign content must not have marketing blocks or query parameters. */
  readonly isCampaign?: boolean
}

/** No more problems are reported. */
const maxProblems = 50

/** The state of one validation. */
interface Run {
  readonly steps: (string | number)[]
  readonly problems: Problem[]
  readonly references: ContentReference[]
  readonly ids: Set<string>
  readonly field: string
  readonly isCampaign: boolean
}

type Check = (value: unknown, run: Run) => void
type Json = Record<string, unknown>

interface Node {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly anyOf?: readonly { readonly $ref: string }[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly const?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly format?: string
  readonly refersTo?: ReferenceKind
  readonly fieldKind?: 'image'
}

const path = ({ field, steps }: Run, last?: string): string => {
  const all = last === undefined ? steps : [...steps, last]
  return all.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : `${at}.${step}`),
    field,
  )
}

function report(
  run: Run,
  code: ProblemCode,
  message: string,
  details: Partial<Problem> & { at?: string } = {},
): void {
  if (run.problems.length >= maxProblems) return
  const { at, ...rest } = details
  run.problems.push({ field: path(run, at), code, message, ...rest })
}

const notAllowed = (run: Run, allowed: readonly string[], at?: string): void =>
  report(
    run,
    'not_allowed',
    `must be one of ${allowed.length > 12 ? 'the allowed values' : allowed.join(', ')}`,
    {
      allowed,
      ...(at !== undefined && { at }),
    },
  )

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function compileNode(node: Node): Check {
  if (node.enum) return checkEnum(node.enum)
  if (node.anyOf && node.type === undefined)
    return checkBlock(node.anyOf.map(({ $ref }) => $ref.slice('#/$defs/'.length)))
  switch (node.type) {
    case 'object':
      return checkObject(node)
    case 'array':
      return checkArray(node)
    case 'string':
      return checkString(node)
    case 'number':
      return checkNumber(node)
    default:
      return checkBoolean(node)
  }
}

function checkEnum(allowed: readonly string[]): Check {
  const values = new Set<unknown>(allowed)
  return (value, run) => {
    if (values.has(value)) return
    if (typeof value !== 'string') report(run, 'invalid_type', 'must be text', { allowed })
    else notAllowed(run, allowed)
  }
}

function checkBoolean({ const: only }: Node): Check {
  return (value, run) => {
    if (typeof value !== 'boolean') report(run, 'invalid_type', 'must be true or false')
    else if (only !== undefined && value !== only) report(run, 'invalid', `must be ${only}`)
  }
}

function checkNumber({ minimum = 0, maximum = 0, exclusiveMinimum }: Node): Check {
  return (value, run) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) report(run, 'invalid_type', 'must be a number')
    else if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
      report(run, 'out_of_range', `must be above ${exclusiveMinimum} and at most ${maximum}`)
    else if (value < minimum || value > maximum)
      report(run, 'out_of_range', `must be from ${minimum} to ${maximum}`)
  }
}

/** Each returns null when the text is valid, otherwise the message. */
const formats: Readonly<Record<string, (text: string) => string | null>> = {
  color: text =>
    parseColor(text) === undefined
      ? 'must be a colour: #rgb, #rrggbb, rgb(…), a CSS name, or transparent'
      : null,
  link: text =>
    text.trim() === '' || safeUrl(text) !== null
      ? null
      : 'must be an https, http, mailto, tel or sms address',
  https: text =>
    safeUrl(text)?.startsWith('https:') && /^https:/i.test(text.trim()) ? null : 'must be an https address',
}

function checkString({
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
  format,
  refersTo,
  fieldKind,
}: Node): Check {
  const check = format === undefined ? undefined : formats[format]
  return (value, run) => {
    if (typeof value !== 'string') return report(run, 'invalid_type', 'must be text')
    if (value.length < minLength) return report(run, 'blank', 'must not be blank')
    if (value.length > maxLength) return report(run, 'too_long', `must have at most ${maxLength} characters`)
    if (refersTo)
      run.references.push({ kind: refersTo, id: value, field: path(run), ...(fieldKind && { fieldKind }) })
    const message = check?.(value)
    if (message) report(run, 'invalid', message)
  }
}

function checkArray({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Node): Check {
  const check = compileNode(items)
  return (value, run) => {
    if (!Array.isArray(value)) return report(run, 'invalid_type', 'must be a list')
    if (value.length < minItems) return report(run, 'too_short', `must have at least ${minItems}`)
    if (value.length > maxItems) return report(run, 'too_many', `must have at most ${maxItems}`)
    const at = run.steps.length
    for (let index = 0; index < value.length; index++) {
      run.steps.push(index)
      check(value[index], run)
      run.steps.length = at
    }
  }
}

/** In campaign content, a link has only a text and a smart field. */
const notInCampaigns = new Set(['queryParams', 'vcard'])

function checkObject({ properties = {}, required = [] }: Node): Check {
  const checks = new Map(Object.entries(properties).map(([name, node]) => [name, compileNode(node)]))
  return (value, run) => {
    if (!isObject(value)) return report(run, 'invalid_type', 'must be an object')
    const at = run.steps.length
    for (const name in value) {
      const check = checks.get(name)
      if (!check || (run.isCampaign && notInCampaigns.has(name))) {
        report(run, 'unknown_property', 'is not a known property', { at: name })
        continue
      }
      run.steps.push(name)
      check(value[name], run)
      run.steps.length = at
    }
    for (const name of required) {
      if (value[name] === undefined) {
        reportMissing(
          run,
          required.filter(key => value[key] === undefined),
        )
        break
      }
    }
  }
}

function reportMissing(run: Run, missing: readonly string[]): void {
  const [only, ...others] = missing
  if (only !== undefined && others.length === 0) report(run, 'missing', 'is required', { at: only, missing })
  else report(run, 'missing', `lacks ${missing.join(', ')}`, { missing })
}

/** Checks a block by its type, with the rules that a schema of one object cannot express. */
function checkBlock(types: readonly string[], fields?: Check): Check {
  return (value, run) => {
    if (!isObject(value)) return report(run, 'invalid_type', 'must be a block')
    const { type } = value
    if (type === undefined) return reportMissing(run, ['type'])
    const allowed = run.isCampaign ? types.filter(name => name !== 'marketing') : types
    if (typeof type !== 'string') return report(run, 'invalid_type', 'must be text', { at: 'type' })
    if (!allowed.includes(type)) return notAllowed(run, allowed, 'type')
    checkId(value, run)
    const checkFields = fields ?? checks.get(type)
    checkFields?.(value, run)
    rules[type]?.(value, run)
    checkHref(value, run)
    if (Array.isArray(value.tokens)) checkTokens(value.tokens, run)
  }
}

function checkId({ id }: Json, run: Run): void {
  if (typeof id !== 'string') return
  if (run.ids.has(id)) report(run, 'duplicate', 'occurs more than once', { at: 'id' })
  run.ids.add(id)
}

function checkTokens(tokens: readonly unknown[], run: Run): void {
  const at = run.steps.length
  tokens.forEach((token, index) => {
    if (!isObject(token)) return
    run.steps.push('tokens', index)
    checkId(token, run)
    checkHref(token, run)
    if (token.type === 'smartFieldToken' && token.smartFieldUuid === undefined)
      reportMissing(run, ['smartFieldUuid'])
    run.steps.length = at
  })
}

const rules: Readonly<Record<string, (block: Json, run: Run) => void>> = {
  image(block, run) {
    const [first, second] = imageSources.filter(source => block[source] !== undefined)
    if (first === undefined)
      report(run, 'missing', `needs one of ${imageSources.join(', ')}`, { missing: imageSources })
    if (second !== undefined) report(run, 'invalid', `cannot stand beside ${first}`, { at: second })
    checkCrop(block.crop, run)
    if (block.src === undefined) return
    for (const key of ['halo', 'crop'])
      if (block[key] !== undefined && block[key] !== false)
        report(run, 'invalid', 'cannot stand beside src: only stored pictures are drawn again', { at: key })
  },
  qrCode({ content, href }, run) {
    if (content === 'href' && href === undefined) reportMissing(run, ['href'])
    if (content === 'vcard' && href !== undefined)
      report(run, 'invalid', 'can only stand beside content "href"', { at: 'href' })
  },
  stack({ direction, wrap }, run) {
    if (wrap === true && direction !== 'row')
      report(run, 'invalid', 'can only stand beside direction "row"', { at: 'wrap' })
  },
  listItem({ children }, run) {
    if (!Array.isArray(children)) return
    const isLabel = (child: unknown) => isObject(child) && child.type === 'listItemLabel'
    children.forEach((child, index) => {
      if (index > 0 && isLabel(child)) notAllowed(run, ['text'], `children[${index}].type`)
    })
    if (children.length > 0 && children.every(isLabel))
      report(run, 'too_short', 'must have at least one text', { at: 'children' })
  },
  listItemLabel(block, run) {
    if (block.tokens === undefined && block.icon === undefined)
      report(run, 'missing', 'needs tokens or icon', { missing: ['tokens', 'icon'] })
    if (block.tokens !== undefined && block.icon !== undefined)
      report(run, 'invalid', 'cannot stand beside icon', { at: 'tokens' })
  },
}

/** A crop ends inside the picture. */
function checkCrop(crop: unknown, run: Run): void {
  if (!isObject(crop)) return
  const pairs = [
    ['x', 'width'],
    ['y', 'height'],
  ] as const
  for (const [start, size] of pairs)
    if (isFraction(crop[start]) && isFraction(crop[size]) && crop[start] + crop[size] > 1 + rounding)
      report(run, 'out_of_range', `and ${start} must be together at most 1`, { at: `crop.${size}` })
}

/** Fractions such as 0.1 + 0.9 are not exact. */
const rounding = 1e-9
const isFraction = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

/** A link leads to an address or to the contact card. */
function checkHref(holder: Json, run: Run): void {
  const { href } = holder
  if (!isObject(href) || href.vcard === undefined) return
  for (const key of addressKeys)
    if (href[key] !== undefined) report(run, 'invalid', 'cannot stand beside vcard', { at: `href.${key}` })
}

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries(blockSchemas).map(([type, schema]) => [type, compileNode(schema as unknown as Node)]),
)
const checkRoot = checkBlock(['stack'], compileNode(rootSchema as unknown as Node))

export function validateContent(
  content: unknown,
  { field, isCampaign = false }: ValidateOptions,
): ValidationResult {
  const beyond = beyondLimits(content, field)
  if (beyond) return { problems: [beyond], references: [] }
  const run: Run = { steps: [], problems: [], references: [], ids: new Set(), field, isCampaign }
  checkRoot(content, run)
  return { problems: run.problems, references: run.references }
}
