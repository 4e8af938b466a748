// Which teammate a record of a directory is linked with, and which problems of people are listed.
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Google } from '#test/support/directories/google.ts'
import { addUser, connectGoogle, startDirectory, syncNow } from '#test/support/directories/google-people.ts'
import { createTeammate } from '#test/support/world.ts'

let app: TestApp
let google: Google
let id = ''
beforeAll(async () => {
  app = await testApp()
  google = await startDirectory()
  id = await connectGoogle(app, google, { drives_teammates: false })
})

const teammateWith = async (address: string) =>
  (await app.get(`/v1/teammates?search=${encodeURIComponent(address)}`)).body.data[0]
const titleOf = async (address: string) =>
  (await teammateWith(address))?.smart_fields.find(({ label }: { label: string }) => label === 'Job title')
    ?.value
const peopleCount = async () => (await app.get(`/v1/integrations/${id}`)).body.data.people_count
const drive = async (drives_teammates: boolean) =>
  expect((await app.patch(`/v1/integrations/${id}`, { settings: { drives_teammates } })).status).toBe(200)

describe('a teammate who was deleted by hand', () => {
  it('loses the record, and a new teammate with the address gets it', async () => {
    addUser(google, 'ada')
    const first = await createTeammate(app, { email: 'ada@example.com' })
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_changed: 1 })
    expect((await app.del(`/v1/teammates/${first.id}`)).status).toBe(204)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', problem_count: 0 })
    expect(await peopleCount()).toBe(0)
    await createTeammate(app, { email: 'ada@example.com' })
    expect(await syncNow(app)).toMatchObject({ people_changed: 1 })
    expect([await titleOf('ada@example.com'), await peopleCount()]).toEqual(['Engineer', 1])
  })

  it('is restored or replaced once the directory decides who is a teammate', async () => {
    addUser(google, 'bob')
    addUser(google, 'eve')
    const [bob, eve] = [
      await createTeammate(app, { email: 'bob@example.com' }),
      await createTeammate(app, { email: 'eve@example.com' }),
    ]
    await syncNow(app)
    for (const item of [bob, eve]) await app.del(`/v1/teammates/${item.id}`)
    const other = await createTeammate(app, { email: 'eve@example.com' })
    await drive(true)
    expect(await syncNow(app)).toMatchObject({ status: 'succeeded', people_added: 1, problem_count: 0 })
    expect((await teammateWith('bob@example.com')).id).toBe(bob.id)
    expect(await teammateWith('eve@example.com')).toMatchObject({ id: other.id, source: 'directory' })
  })
})

describe('a person who comes back after the grace', () => {
  it('is a listed problem while another person has the address', async () => {
    await app.patch(`/v1/integrations/${id}`, { settings: { grace_days: 0 } })
    const kim = addUser(google, 'kim')
    await syncNow(app)
    const { id: teammateId } = await teammateWith('kim@example.com')
    google.directory.users.delete(kim.id)
    expect(await syncNow(app)).toMatchObject({ people_removed: 1 })
    const other = addUser(google, 'other', { primaryEmail: 'Kim@example.com' })
    expect(await syncNow(app)).toMatchObject({ people_added: 1, problem_count: 0 })
    google.directory.users.set(kim.id, kim)
    for (const added of [0, 0]) {
      const back = await syncNow(app)
      expect(back).toMatchObject({ people_added: added, problem_count: 1 })
      expect(back.problems).toMatchObject([
        { kind: 'conflict', external_id: kim.id, teammate_id: null, address: 'kim@example.com' },
      ])
    }
    google.directory.users.delete(kim.id)
    expect(await syncNow(app)).toMatchObject({ problem_count: 0, problems: [] })
    google.directory.users.set(kim.id, kim)
    google.directory.users.delete(other.id)
    expect(await syncNow(app)).toMatchObject({ problem_count: 0 })
    expect((await teammateWith('kim@example.com')).id).toBe(teammateId)
  })
})

describe('a person with more than 100 aliases', () => {
  it('keeps the first 100, and the others are a listed problem', async () => {
    const alias = (n: number) => `alias${String(n).padStart(3, '0')}@example.com`
    const many = addUser(google, 'many', { aliases: Array.from({ length: 100 }, (_, n) => alias(n)) })
    expect(await syncNow(app)).toMatchObject({ problem_count: 0 })
    many.aliases = [alias(100), ...many.aliases]
    const run = await syncNow(app)
    expect(run.problems).toMatchObject([
      {
        kind: 'unusable',
        external_id: many.id,
        field: 'aliases',
        message: 'Only the first 100 of 101 are kept.',
      },
    ])
    const { emails } = await teammateWith('many@example.com')
    const addresses = emails.map(({ address }: { address: string }) => address)
    expect([addresses.length, addresses.includes(alias(99))]).toEqual([101, true])
    many.aliases = ['broken', ...many.aliases.slice(1)]
    const { problems } = await syncNow(app)
    expect(problems).toMatchObject([{ field: 'aliases', message: '“broken” is not an address.' }])
    many.aliases = many.aliases.slice(1)
    expect(await syncNow(app)).toMatchObject({ problem_count: 0 })
  })
})
