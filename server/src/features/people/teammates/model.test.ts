// Compares teammates with a simple model: after random creates, changes, imports and deletes, every filter must give
// the same result.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'
import { fieldIds } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

interface Person {
  email: string
  values: Map<string, string>
}

const words = fc.constantFrom(
  'Sales',
  'sales ',
  'SALES',
  'Ärger',
  'ärger',
  'a%b',
  'a_b',
  'ab',
  '東京',
  '',
  '  ',
  'x\\y',
  '😀',
)
const people = fc.nat(5).map(n => `Person${n}@Example.com`)
const labels = ['first_name', 'department', 'company'] as const
const values = fc.array(fc.tuple(fc.constantFrom(...labels), fc.oneof(words, fc.constant(null))), {
  maxLength: 3,
})
const change = fc.record({
  kind: fc.constantFrom('import', 'create', 'patch', 'delete'),
  email: people,
  values,
})

const isSame = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()
const containsText = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase())

describe('teammates', () => {
  it('equal the model after any changes and for any filter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), words, async (changes, text) => {
        const workspace = await app.workspace('Model')
        const fields = await fieldIds(app, workspace.key)
        const model = new Map<string, Person>()
        for (const step of changes) await apply(workspace, fields, model, step)
        await compare(workspace, fields, model, '')
        if (text.trim() !== '') {
          const query = `search=${encodeURIComponent(text)}`
          await compare(
            workspace,
            fields,
            model,
            query,
            person =>
              containsText(person.email, text) ||
              [...person.values.values()].some(v => containsText(v.trim(), text)),
          )
        }
        const pair = `smart_field_id=${fields.department}&smart_field_value=${encodeURIComponent(text)}`
        await compare(workspace, fields, model, pair, person =>
          isSame(person.values.get('department') ?? 'none', text),
        )
        await compare(
          workspace,
          fields,
          model,
          `missing_smart_field_id=${fields.company}`,
          person => !person.values.has('company'),
        )
      }),
      { numRuns: runs(20) },
    )
  })
})

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function apply(
  { key }: TestWorkspace,
  fields: Record<string, string>,
  model: Map<string, Person>,
  { kind, email, values }: Change,
): Promise<void> {
  const valuesByLabel = new Map(values)
  const smart_fields = [...valuesByLabel].map(([label, value]) => ({ smart_field_id: fields[label], value }))
  const id = email.toLowerCase()
  const existing = model.get(id)
  const write = (person: Person) => {
    for (const [label, value] of valuesByLabel) {
      if (value === null || value.trim() === '') person.values.delete(label)
      else person.values.set(label, value)
    }
    model.set(id, person)
  }
  const path = async () => {
    const { body } = await app.get(`/v1/teammates?search=${encodeURIComponent(id)}`, { key })
    return `/v1/teammates/${body.data[0].id}`
  }
  if (kind === 'import') {
    const { body } = await app.post('/v1/teammates/import', { teammates: [{ email, smart_fields }] }, { key })
    expect(body.data).toEqual({ created: existing ? 0 : 1, updated: existing ? 1 : 0, failed: [] })
    write(existing ?? { email, values: new Map() })
  } else if (kind === 'create') {
    const { status } = await app.post('/v1/teammates', { teammate: { email, smart_fields } }, { key })
    expect(status).toBe(existing ? 422 : 201)
    if (!existing) write({ email, values: new Map() })
  } else if (existing && kind === 'patch') {
    expect((await app.patch(await path(), { teammate: { smart_fields } }, { key })).status).toBe(200)
    write(existing)
  } else if (existing && kind === 'delete') {
    expect((await app.del(await path(), { key })).status).toBe(204)
    model.delete(id)
  }
}

async function compare(
  { key }: TestWorkspace,
  fields: Record<string, string>,
  model: ReadonlyMap<string, Person>,
  query: string,
  matches: (person: Person) => boolean = () => true,
): Promise<void> {
  const { body } = await app.get(`/v1/teammates?limit=100&${query}`, { key })
  const actual = body.data.map(
    (teammate: { email: string; smart_fields: { smart_field_id: string; value: string | null }[] }) => [
      teammate.email,
      ...labels.map(
        label => teammate.smart_fields.find(field => field.smart_field_id === fields[label])?.value ?? null,
      ),
    ],
  )
  const expected = [...model.values()]
    .filter(matches)
    .map(person => [person.email, ...labels.map(label => person.values.get(label) ?? null)])
  const order = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
  expect(actual.sort(order), query).toEqual(expected.sort(order))
  expect(body.pagination.total_count, query).toBe(expected.length)
}
