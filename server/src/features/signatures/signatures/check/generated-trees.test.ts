// Checks random content: no tree makes a check fail, and every block that it names exists.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'
import { createSignature } from '#test/support/signatures.ts'
import { createTeammate, type FieldIds, fieldIds, unknownId } from '#test/support/world.ts'
import type { FoundProblem } from './rules.ts'

let app: TestApp
let fields: FieldIds
beforeAll(async () => {
  app = await testApp()
  fields = await fieldIds(app)
  await createTeammate(app, { values: { [fields.job_title]: 'Chef' } })
})

const words = fc.constantFrom(
  '',
  ' ',
  'Hello',
  '{{name}}',
  '{{{{}}',
  unknownId,
  '👩‍👩‍👧',
  'x'.repeat(300),
  'a\nb',
  'עברית',
)
const color = fc.constantFrom('#fff', '#000', 'transparent', 'gold', 'rgb(1, 2, 3)', '#777777')
const size = fc.constantFrom(0, 0.5, 8, 24, 200, 2_000)
const optional = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] })

/** Content in which `FIELD` stands for a smart field, because the fields exist only when the app does. */
const fieldName = fc.constantFrom('FIELD:job_title', 'FIELD:email', 'FIELD:company', 'FIELD:calendar_link')
const href = optional({
  text: fc.constantFrom('', 'https://a.example', 'tel:+1555'),
  smartFieldUuid: fieldName,
})
const token = optional({
  value: words,
  smartFieldUuid: fieldName,
  fallback: words,
  textStyle: optional({ color, fontSize: fc.constantFrom(6, 8.5, 9, 18, 96) }),
  href,
})
const tokens = fc.array(token, { maxLength: 3 })
const common = {
  visible: fc.boolean(),
  displayName: words.filter(text => text.length <= 200),
  blockStyle: optional({ backgroundColor: color, width: size, gap: size, paddingLeft: size }),
}
const block = (
  type: string,
  required: Record<string, fc.Arbitrary<unknown>>,
  more: Record<string, fc.Arbitrary<unknown>> = {},
) =>
  fc
    .tuple(fc.record(required), optional({ ...common, ...more }))
    .map(([fixed, rest]) => ({ type, ...rest, ...fixed }))

const name = fc.constantFrom('linkedin-in', 'phone')
const src = fc.constantFrom(
  'https://cdn.example/a.svg',
  'https://cdn.example/',
  'https://cdn.example/b.webp?x#y',
)
const leaf = fc.oneof(
  block('text', { tokens }),
  block('image', { src }, { alt: words, width: size, height: size, href }),
  block('image', { smartFieldUuid: fc.constant('FIELD:profile_picture') }, { alt: words, href }),
  block('icon', { name }, { color, backgroundColor: color, size, alt: words, href }),
  block('button', { tokens, href }, { backgroundColor: color }),
  block('list', {
    children: fc.array(
      block('listItem', {
        children: fc.tuple(block('listItemLabel', { icon: name }, { color }), block('text', { tokens })),
      }),
      { maxLength: 2 },
    ),
  }),
  block(
    'socialList',
    { children: fc.array(block('socialListItem', { name, href }, { alt: words }), { maxLength: 3 }) },
    { color, iconSize: size },
  ),
  block('divider', {}),
  block('marketing', {}),
)
const { stack } = fc.letrec<{ stack: object; any: object }>(tie => ({
  stack: block(
    'stack',
    { children: fc.array(tie('any'), { maxLength: 4 }) },
    { direction: fc.constantFrom('row', 'column') },
  ) as fc.Arbitrary<object>,
  any: fc.oneof({ maxDepth: 5 }, { weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: tie('stack') }),
}))

const withFields = (content: object): object =>
  JSON.parse(JSON.stringify(content).replace(/FIELD:(\w+)/g, (_, key) => fields[key] ?? ''))

/** Follows `draft_content.children[0]` in a signature. */
const resolve = (signature: unknown, path: string): { id?: string } | undefined =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], signature) as
    | { id?: string }
    | undefined

describe('any content', () => {
  it('can be checked, and each block of a problem is found by its path and has a name', async () => {
    await fc.assert(
      fc.asyncProperty(stack, async tree => {
        const { status, body } = await createSignature(app, { draft_content: withFields(tree) })
        expect(status).toBe(201)
        const path = `/v1/signatures/${body.data.id}`
        await app.call('PUT', `${path}/recipient_rules`, { body: { everybody: true } })
        const answer = await app.get(`${path}/check`)
        expect(answer.status, answer.text).toBe(200)
        const problems: FoundProblem[] = answer.body.data.problems
        for (const { message, blocks, recipients_affected } of problems) {
          expect(message).not.toMatch(/NaN|Infinity|undefined/)
          expect([0, 1]).toContain(recipients_affected)
          for (const { id, name, path } of blocks) {
            expect(resolve(body.data, path)?.id).toBe(id)
            expect(name.trim()).not.toBe('')
            expect(name).not.toBe(unknownId)
          }
        }
        const forced = await app.post(`${path}/publish`, { force: true })
        expect(forced.body.warnings).toEqual(problems)
        await app.del(path)
      }),
      { numRuns: runs(30) },
    )
  })
})
