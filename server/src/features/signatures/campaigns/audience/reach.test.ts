import { beforeAll, describe, expect, it } from 'vitest'
import type { Conditions } from '#features/signatures/recipients/index.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createCampaign, createField, createPublished, createTeammate } from '#test/support/world.ts'
import { addressesInReach } from './reach.ts'

let app: TestApp
let office: string
let motto: string
/** Email ids by name. */
const people = new Map<string, string>()

const longText = 'a'.repeat(4_900)

beforeAll(async () => {
  app = await testApp()
  office = await createField(app, 'Office')
  motto = await createField(app, 'Motto')
  const rows: readonly (readonly [string, string, string])[] = [
    ['ada', 'Paris', `${longText}xyz`],
    ['bob', 'Rome', `${longText}needle 7 ${longText.slice(0, 50)}`],
    ['cyd', 'Oslo', ''],
    ...Array.from({ length: 9 }, (_, n) => [`p${n}`, 'Lima', `${longText}${n}`] as const),
  ]
  for (const [name, city, mottoText] of rows) {
    const values = { [office]: city, ...(mottoText !== '' && { [motto]: mottoText }) }
    people.set(name, (await createTeammate(app, { email: `${name}@example.com`, values })).emailId)
  }
  const draft_content = stack(text('Own'), { type: 'marketing' })
  await createPublished(app, { draft_content }, ...people.values())
})

/** The names of the teammates that addressesWithin() finds. */
async function findNames(conditions: Conditions, milliseconds?: number): Promise<string[]> {
  const reach = { campaign_id: app.id, signature_ids: [], conditions }
  const ids: string[] = []
  for await (const batch of addressesInReach(app.db, app.id, reach, 5, milliseconds)) ids.push(...batch)
  const names = [...people].filter(([, id]) => ids.includes(id)).map(([name]) => name)
  expect(names).toHaveLength(ids.length)
  return names
}

const needles = Array.from({ length: 5_000 }, (_, n) => `needle${String(n).padStart(4, '0')}`)

describe('the addresses that a campaign can reach', () => {
  it('are found by values and parts of values of several fields', async () => {
    const equals = (smart_field_id: string, ...values: string[]) => ({ smart_field_id, values })
    expect(await findNames([[equals(office, 'rome')], [equals(office, ' PARIS')]])).toEqual(['ada', 'bob'])
    expect(await findNames([[equals(office, 'rom')]])).toEqual([])
    const part = { smart_field_id: motto, operator: 'contains', values: ['EDLE'] } as const
    expect(await findNames([[part], [equals(office, 'Oslo')]])).toEqual(['bob', 'cyd'])
    expect(await findNames([[{ ...part, values: ['%'] }]])).toEqual([])
    const end = { smart_field_id: motto, operator: 'ends_with', values: ['yz'] } as const
    expect(await findNames([[end, { smart_field_id: office, operator: 'is_set' }]])).toEqual(['ada'])
    expect(await findNames([])).toHaveLength(people.size)
    const unset = { smart_field_id: motto, operator: 'is_not_set' } as const
    expect(await findNames([[unset], [part]])).toHaveLength(people.size)
  })

  it('are all recipients of the signature when the lookup in PostgreSQL times out', async () => {
    const groups = Array.from({ length: 100 }, (_, g) => [
      { smart_field_id: motto, operator: 'contains' as const, values: needles.slice(50 * g, 50 * g + 50) },
    ])
    expect(await findNames(groups.slice(0, 1), 60_000)).toEqual([])
    expect(await findNames(groups, 1)).toEqual([...people.keys()])
  })

  it('are filtered exactly in the audience list', async () => {
    const values = [...needles.slice(0, 4_998), 'needle 7']
    const conditions = Array.from({ length: 5 }, (_, g) => [
      { smart_field_id: motto, operator: 'contains', values: values.slice(1_000 * g, 1_000 * g + 1_000) },
    ])
    const path = await createCampaign(app, { smart_fields_conditions: conditions })
    const { body } = await app.get(`${path}/audience`)
    expect(body.data.map((row: { address: string }) => row.address)).toEqual(['bob@example.com'])
  })
})
