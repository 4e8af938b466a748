// Tools about teammates: the people whose signatures are deployed.
import type { JsonRecord } from '../api.ts'
import { invalidArguments } from '../failure.ts'
import { argumentsOf, schemaOf } from '../schemas.ts'
import { listTool, routeTool, type ToolDefinition } from '../tool.ts'

/** Rows without the fields that have no value. */
const withValues = (teammate: JsonRecord): JsonRecord => {
  const fields = Array.isArray(teammate.smart_fields) ? (teammate.smart_fields as readonly JsonRecord[]) : []
  const { created_at: _, updated_at: __, ...rest } = teammate
  const values = fields.filter(({ value }) => value !== null).map(({ label, value }) => [label, value])
  return { ...rest, smart_fields: Object.fromEntries(values) }
}

const listTeammates = listTool({
  name: 'list_teammates',
  title: 'Teammates',
  description:
    'The people whose signatures are deployed, with their addresses (emails, whose ids set_recipients and preview_signature take) and their values by label. search finds a part of an address or of any value; missing_smart_field (a key such as job_title) finds people who still lack a value.',
  route: 'teammates.list',
  without: ['smart_field_id', 'missing_smart_field_id'],
  rows: 'teammates',
  shape: withValues,
})

const getTeammate = routeTool({
  name: 'get_teammate',
  title: 'Teammate',
  description:
    'One person with all addresses and every smart field of the workspace; value is null where it is missing.',
  effect: 'reads',
  route: 'teammates.get',
  names: { id: 'teammate_id' },
  summary: ({ data }) => `The teammate ${(data as JsonRecord).email}.`,
})

const maxTeammates = 100

const upsertTeammates: ToolDefinition = {
  name: 'upsert_teammates',
  title: 'Create or change teammates',
  description: `Creates or changes up to ${maxTeammates} people by their addresses: a known address changes that person, and fields that you do not name stay as they are. Name fields by key (smart_field: "first_name"). Rows are judged one by one: failed lists the bad ones with their index and reasons; correct those and send them again. Where a directory is connected, change people there.`,
  effect: 'overwrites',
  routes: ['teammates.import', 'teammates.create'],
  input: routeNamed => {
    const { properties, required = [] } = argumentsOf(routeNamed('teammates.create'))
    const row = { type: 'object', properties, required, additionalProperties: false }
    return schemaOf({ teammates: { type: 'array', maxItems: maxTeammates, items: row } }, ['teammates'])
  },
  async run({ teammates }, calls) {
    if (Array.isArray(teammates) && teammates.length > maxTeammates)
      throw invalidArguments([
        { field: 'teammates', code: 'too_many', message: `teammates takes up to ${maxTeammates} rows` },
      ])
    const answer = await calls.json('teammates.import', { teammates })
    const { created, updated, failed } = answer.data as JsonRecord
    const count = Array.isArray(failed) ? failed.length : 0
    const summary = `${created} created, ${updated} changed, ${count} refused.`
    return {
      summary: count > 0 ? `${summary} Correct the refused rows and send them again.` : summary,
      answer,
    }
  },
}

export const peopleTools: readonly ToolDefinition[] = [listTeammates, getTeammate, upsertTeammates]
