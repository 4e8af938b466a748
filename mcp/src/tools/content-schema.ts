// How content is written: an overview, one block, or everything. The whole schema costs 18,000 tokens.
import { isRecord, type JsonRecord } from '../api.ts'
import { invalidArguments } from '../failure.ts'
import { recordOf } from '../requests.ts'
import { schemaOf } from '../schemas.ts'
import type { ToolDefinition } from '../tool.ts'

/** Without the keywords that cost most characters and that the service checks anyway. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact)
  if (!isRecord(schema)) return schema
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      key !== 'pattern' && !(/^(min|max)(imum|Length)$/.test(key) && typeof value === 'number'),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, compact(value)]))
}

const propertiesOf = (schema: unknown): JsonRecord => recordOf(recordOf(schema).properties)

const common = ['type', 'id', 'visible', 'displayName', 'blockStyle']

/** The fields of a block beside those of all blocks. */
function fieldsOf(schema: unknown): string {
  const required = recordOf(schema).required as readonly string[]
  return Object.keys(propertiesOf(schema))
    .filter(name => !common.includes(name))
    .map(name => (required.includes(name) ? `${name} (required)` : name))
    .join(', ')
}

function overviewOf({ schema, enums, example }: JsonRecord): JsonRecord {
  const blocks = recordOf(recordOf(schema).$defs)
  const token = propertiesOf(recordOf(propertiesOf(blocks.text).tokens).items)
  const namesOf = (part: unknown) => Object.keys(propertiesOf(part)).join(', ')
  return {
    blocks: Object.fromEntries(blockTypes(enums).map(type => [type, fieldsOf(blocks[type])])),
    every_block: common.slice(1).join(', '),
    blockStyle: namesOf(propertiesOf(blocks.stack).blockStyle),
    token: Object.keys(token).join(', '),
    textStyle: namesOf(token.textStyle),
    href: namesOf(token.href),
    enums,
    example,
  }
}

const blockTypes = (enums: unknown): readonly string[] => recordOf(enums).blockType as readonly string[]

/** The shortest block of this type in the example, which has one of each. */
function exampleOf(type: string, block: unknown): unknown {
  const { children, ...own } = recordOf(block)
  const inner = Array.isArray(children) ? children.map(child => exampleOf(type, child)) : []
  return [...inner, own.type === type ? block : undefined]
    .filter(candidate => candidate !== undefined)
    .sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0]
}

const steps =
  'Check content with preview_signature (content), then create_signature or update_signature (draft_content).'

export const getContentSchema: ToolDefinition = {
  name: 'get_content_schema',
  title: 'How content is written',
  description:
    'How the content of signatures and banners is written. Without arguments: the blocks with their fields, the allowed names (icons, fonts, shapes) and a worked example with the smart fields of this workspace; call it once before you write or change draft_content, and start from the example. With block: the JSON Schema of one block, with an example of it. Limits are left out: an error names the path of every value that is wrong.',
  effect: 'reads',
  routes: ['content.schema'],
  input: () =>
    schemaOf({
      block: { type: 'string', description: 'A type such as text or socialList.' },
      full: { type: 'boolean', default: false, description: 'True: the schema of all blocks; it is long.' },
    }),
  async run({ block, full }, calls) {
    const data = (await calls.json('content.schema')).data as JsonRecord
    const { schema, enums, example } = data
    if (full === true)
      return { summary: `All blocks. ${steps}`, answer: { data: compact(data) as JsonRecord } }
    if (block === undefined || block === null) {
      const summary = `One stack is the root; list has listItem blocks (at most one listItemLabel, then text), socialList has socialListItem blocks. block: <type> has the schema of a block. ${steps}`
      return { summary, answer: { data: overviewOf(data) } }
    }
    const type = blockTypes(enums).find(name => name === block)
    if (type === undefined)
      throw invalidArguments([
        {
          field: 'block',
          code: 'not_allowed',
          message: 'block is not one of the allowed values',
          allowed: blockTypes(enums),
        },
      ])
    const answer = {
      schema: compact(recordOf(recordOf(schema).$defs)[type]),
      example: exampleOf(type, example),
    }
    return { summary: `The block ${type}. ${steps}`, answer: { data: answer } }
  },
}
