// Content against its schema: every problem, each with its full path. The schema is compiled into functions once.
import { imageSources } from './blocks/image.ts'
import { blockSchemas } from './blocks/index.ts'
import { parseColor } from './colors.ts'
import type { ReferenceKind } from './fields.ts'
import { safeUrl } from './links.ts'
import type { Problem, ProblemCode } from './types.ts'
import { beyondLimits } from './walk.ts'

export interface ContentReference {
  readonly kind: ReferenceKind
  readonly id: string
  readonly field: string
  /** The kind that a smart field must have here. */
  readonly fieldKind?: 'image'
}

export interface Verdict {
  readonly problems: readonly Problem[]
  /** For the workspace to check. */
  readonly references: readonly ContentReference[]
}

export interface ValidateOptions {
  /** The name of the field that holds the tree: paths begin with it. */
  readonly field: string
  /** Campaigns have no marketing block and no query parameters. */
  readonly isCampaign?: boolean
}

/** Nobody reads more; the finding stops there. */
const enough = 50

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
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly format?: string
  readonly refersTo?: ReferenceKind
  readonly fieldKind?: 'image'
}

const path = ({ field, steps }: Run, more?: string): string => {
  const all = more === undefined ? steps : [...steps, more]
  return all.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : `${at}.${step}`),
    field,
  )
}

function tell(
  run: Run,
  code: ProblemCode,
  message: string,
  more: Partial<Problem> & { at?: string } = {},
): void {
  if (run.problems.length >= enough) return
  const { at, ...rest } = more
  run.problems.push({ field: path(run, at), code, message, ...rest })
}

const notAllowed = (run: Run, allowed: readonly string[], at?: string): void =>
  tell(
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
      return (value, run) => {
        if (typeof value !== 'boolean') tell(run, 'invalid_type', 'must be true or false')
      }
  }
}

function checkEnum(allowed: readonly string[]): Check {
  const known = new Set<unknown>(allowed)
  return (value, run) => {
    if (known.has(value)) return
    if (typeof value !== 'string') tell(run, 'invalid_type', 'must be text', { allowed })
    else notAllowed(run, allowed)
  }
}

function checkNumber({ minimum = 0, maximum = 0 }: Node): Check {
  return (value, run) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) tell(run, 'invalid_type', 'must be a number')
    else if (value < minimum || value > maximum)
      tell(run, 'out_of_range', `must be from ${minimum} to ${maximum}`)
  }
}

/** Null is fine; otherwise what it must be. */
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
    if (typeof value !== 'string') return tell(run, 'invalid_type', 'must be text')
    if (value.length < minLength) return tell(run, 'blank', 'must not be blank')
    if (value.length > maxLength) return tell(run, 'too_long', `must have at most ${maxLength} characters`)
    if (refersTo)
      run.references.push({ kind: refersTo, id: value, field: path(run), ...(fieldKind && { fieldKind }) })
    const wrong = check?.(value)
    if (wrong) tell(run, 'invalid', wrong)
  }
}

function checkArray({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Node): Check {
  const check = compileNode(items)
  return (value, run) => {
    if (!Array.isArray(value)) return tell(run, 'invalid_type', 'must be a list')
    if (value.length < minItems) return tell(run, 'too_short', `must have at least ${minItems}`)
    if (value.length > maxItems) return tell(run, 'too_many', `must have at most ${maxItems}`)
    const at = run.steps.length
    for (let index = 0; index < value.length; index++) {
      run.steps.push(index)
      check(value[index], run)
      run.steps.length = at
    }
  }
}

function checkObject({ properties = {}, required = [] }: Node): Check {
  const checks = new Map(Object.entries(properties).map(([name, node]) => [name, compileNode(node)]))
  return (value, run) => {
    if (!isObject(value)) return tell(run, 'invalid_type', 'must be an object')
    const at = run.steps.length
    for (const name in value) {
      const check = checks.get(name)
      if (!check || (run.isCampaign && name === 'queryParams')) {
        tell(run, 'unknown_property', 'is not a known property', { at: name })
        continue
      }
      run.steps.push(name)
      check(value[name], run)
      run.steps.length = at
    }
    for (const name of required) {
      if (value[name] === undefined) {
        tellMissing(
          run,
          required.filter(one => value[one] === undefined),
        )
        break
      }
    }
  }
}

function tellMissing(run: Run, missing: readonly string[]): void {
  const [only, ...others] = missing
  if (only !== undefined && others.length === 0) tell(run, 'missing', 'is required', { at: only, missing })
  else tell(run, 'missing', `lacks ${missing.join(', ')}`, { missing })
}

/** A block by its type, with what the schema of one object alone cannot say. */
function checkBlock(types: readonly string[]): Check {
  return (value, run) => {
    if (!isObject(value)) return tell(run, 'invalid_type', 'must be a block')
    const { type } = value
    if (type === undefined) return tellMissing(run, ['type'])
    const allowed = run.isCampaign ? types.filter(one => one !== 'marketing') : types
    if (typeof type !== 'string') return tell(run, 'invalid_type', 'must be text', { at: 'type' })
    if (!allowed.includes(type)) return notAllowed(run, allowed, 'type')
    checkId(value, run)
    checks.get(type)?.(value, run)
    rules[type]?.(value, run)
    if (Array.isArray(value.tokens)) checkTokens(value.tokens, run)
  }
}

function checkId({ id }: Json, run: Run): void {
  if (typeof id !== 'string') return
  if (run.ids.has(id)) tell(run, 'duplicate', 'occurs more than once', { at: 'id' })
  run.ids.add(id)
}

function checkTokens(tokens: readonly unknown[], run: Run): void {
  const at = run.steps.length
  tokens.forEach((token, index) => {
    if (!isObject(token)) return
    run.steps.push('tokens', index)
    checkId(token, run)
    if (token.type === 'smartFieldToken' && token.smartFieldUuid === undefined)
      tellMissing(run, ['smartFieldUuid'])
    run.steps.length = at
  })
}

const rules: Readonly<Record<string, (block: Json, run: Run) => void>> = {
  image(block, run) {
    const [first, second] = imageSources.filter(source => block[source] !== undefined)
    if (first === undefined)
      tell(run, 'missing', `needs one of ${imageSources.join(', ')}`, { missing: imageSources })
    if (second !== undefined) tell(run, 'invalid', `cannot stand beside ${first}`, { at: second })
  },
  listItem({ children }, run) {
    if (!Array.isArray(children)) return
    const isLabel = (child: unknown) => isObject(child) && child.type === 'listItemLabel'
    children.forEach((child, index) => {
      if (index > 0 && isLabel(child)) notAllowed(run, ['text'], `children[${index}].type`)
    })
    if (children.length > 0 && children.every(isLabel))
      tell(run, 'too_short', 'must have at least one text', { at: 'children' })
  },
  listItemLabel(block, run) {
    if (block.tokens === undefined && block.icon === undefined)
      tell(run, 'missing', 'needs tokens or icon', { missing: ['tokens', 'icon'] })
  },
}

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries(blockSchemas).map(([type, schema]) => [type, compileNode(schema as unknown as Node)]),
)
const checkRoot = checkBlock(['stack'])

export function validateContent(content: unknown, { field, isCampaign = false }: ValidateOptions): Verdict {
  const beyond = beyondLimits(content, field)
  if (beyond) return { problems: [beyond], references: [] }
  const run: Run = { steps: [], problems: [], references: [], ids: new Set(), field, isCampaign }
  checkRoot(content, run)
  return { problems: run.problems, references: run.references }
}
