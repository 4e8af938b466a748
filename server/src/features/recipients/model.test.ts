// Random changes of people, rules and signatures against a plain model that computes everything anew each time.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type Operator, operators } from './conditions.ts'

let app: TestApp
let department = ''
let title = ''
let address = ''
beforeAll(async () => {
  app = await testApp()
  const { body } = await app.get('/v1/smart_fields?limit=100')
  const id = (key: string) => body.data.find((field: { key: string }) => field.key === key).id
  department = id('department')
  title = id('job_title')
  address = id('email')
})

interface Person {
  readonly id: string
  readonly values: Map<string, string>
  readonly emails: Map<string, string>
}
interface Condition {
  readonly field: 'department' | 'title' | 'address'
  readonly operator: Operator
  readonly values: readonly string[]
}
interface Signature {
  readonly id: string
  priority: number
  active: boolean
  conditions: readonly (readonly Condition[])[]
  future: boolean
  readonly hand: Set<string>
  readonly came: Set<string>
}

const word = fc.constantFrom('Sales', 'sales ', 'LAW', 'Law & Order', 'x', 'Straße', 'é')
const value = fc.option(word, { freq: 4 })
const condition: fc.Arbitrary<Condition> = fc.record({
  field: fc.constantFrom('department' as const, 'title' as const, 'address' as const),
  operator: fc.constantFrom(...operators),
  values: fc.array(fc.oneof(word, fc.constantFrom('person', '@example.com', 'alias')), {
    minLength: 1,
    maxLength: 3,
  }),
})
const n = fc.nat({ max: 20 })
type Step =
  | { readonly do: 'hire'; readonly department: string | null; readonly title: string | null }
  | {
      readonly do: 'value'
      readonly who: number
      readonly field: 'department' | 'title'
      readonly value: string | null
    }
  | { readonly do: 'alias' | 'fire' | 'drop alias'; readonly who: number }
  | { readonly do: 'signature'; readonly priority: number; readonly active: boolean }
  | { readonly do: 'toggle'; readonly which: number; readonly priority: number; readonly active: boolean }
  | { readonly do: 'add' | 'remove'; readonly which: number; readonly who: number }
  | { readonly do: 'rules'; readonly which: number; readonly conditions: readonly (readonly Condition[])[] }
  | { readonly do: 'future'; readonly which: number; readonly on: boolean }
  | { readonly do: 'delete signature'; readonly which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('hire' as const), department: value, title: value }),
  fc.record({
    do: fc.constant('value' as const),
    who: n,
    field: fc.constantFrom('department' as const, 'title' as const),
    value,
  }),
  fc.record({ do: fc.constantFrom('alias' as const, 'fire' as const, 'drop alias' as const), who: n }),
  fc.record({ do: fc.constant('signature' as const), priority: fc.nat({ max: 3 }), active: fc.boolean() }),
  fc.record({
    do: fc.constant('toggle' as const),
    which: n,
    priority: fc.nat({ max: 3 }),
    active: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('add' as const, 'remove' as const), which: n, who: n }),
  fc.record({
    do: fc.constant('rules' as const),
    which: n,
    conditions: fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  }),
  fc.record({ do: fc.constant('future' as const), which: n, on: fc.boolean() }),
  fc.record({ do: fc.constant('delete signature' as const), which: n }),
)

const plain = (text: string) => text.trim().toLowerCase()

function holds({ field, operator, values }: Condition, person: Person, emailAddress: string): boolean {
  const found = plain(field === 'address' ? emailAddress : (person.values.get(field) ?? ''))
  const any = (test: (wanted: string) => boolean) => values.map(plain).some(test)
  switch (operator) {
    case 'is_set':
      return found.length > 0
    case 'is_not_set':
      return found.length === 0
    case 'is_none_of':
      return !any(wanted => wanted === found)
    case 'is_any_of':
      return any(wanted => wanted === found)
    case 'contains':
      return any(wanted => found.indexOf(wanted) >= 0)
    case 'starts_with':
      return any(wanted => found.slice(0, wanted.length) === wanted)
    case 'ends_with':
      return any(
        wanted => found.length >= wanted.length && found.slice(found.length - wanted.length) === wanted,
      )
  }
}

let made = 0

class World {
  readonly people: Person[] = []
  readonly signatures: Signature[] = []

  person = (at: number) => this.people[at % this.people.length]
  signature = (at: number) => this.signatures[at % this.signatures.length]

  expected(signature: Signature): string[] {
    return this.people
      .flatMap(person =>
        [...person.emails].filter(
          ([id, emailAddress]) =>
            signature.hand.has(id) ||
            signature.came.has(id) ||
            signature.conditions.some(group => group.every(one => holds(one, person, emailAddress))),
        ),
      )
      .map(([id]) => id)
      .sort()
  }

  winner(email: string): string | null {
    const [first] = this.signatures
      .filter(one => one.active && this.expected(one).includes(email))
      .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
    return first?.id ?? null
  }

  newEmail(person: Person, id: string, emailAddress: string) {
    person.emails.set(id, emailAddress)
    for (const signature of this.signatures) if (signature.future) signature.came.add(id)
  }
}

const put = (id: string, body: object) => app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body })

async function take(world: World, one: Step): Promise<void> {
  made += 1
  switch (one.do) {
    case 'hire': {
      const values = { department: one.department, title: one.title }
      const smart_fields = [
        { smart_field_id: department, value: one.department },
        { smart_field_id: title, value: one.title },
      ].filter(sent => sent.value !== null)
      const { body } = await app.post('/v1/teammates', {
        teammate: { email: `person${made}@example.com`, smart_fields },
      })
      const kept = Object.entries(values).flatMap(([key, text]) =>
        text === null ? [] : [[key, text] as const],
      )
      const person: Person = { id: body.data.id, values: new Map(kept), emails: new Map() }
      world.people.push(person)
      return world.newEmail(person, body.data.emails[0].id, body.data.email)
    }
    case 'value': {
      const person = world.person(one.who)
      if (!person) return
      const smart_field_id = one.field === 'department' ? department : title
      await app.patch(`/v1/teammates/${person.id}`, {
        teammate: { smart_fields: [{ smart_field_id, value: one.value }] },
      })
      if (one.value === null) person.values.delete(one.field)
      else person.values.set(one.field, one.value)
      return
    }
    case 'alias': {
      const person = world.person(one.who)
      if (!person) return
      const sent = { teammate_id: person.id, address: `alias${made}@other.example` }
      const { body } = await app.post('/v1/emails', sent)
      return world.newEmail(person, body.data.id, sent.address)
    }
    case 'drop alias': {
      const person = world.person(one.who)
      const alias = [...(person?.emails.keys() ?? [])][1]
      if (!alias) return
      await app.del(`/v1/emails/${alias}`)
      person?.emails.delete(alias)
      return
    }
    case 'fire': {
      const person = world.person(one.who)
      if (!person) return
      await app.del(`/v1/teammates/${person.id}`)
      world.people.splice(world.people.indexOf(person), 1)
      return
    }
    case 'signature': {
      const { id, now } = newRow()
      await app.db.query(sql`
        insert into signatures (workspace_id, id, name, priority, signature_installation_activated, content, created_at, updated_at)
        values (${app.id}, ${id}, ${`S${made}`}, ${one.priority}, ${one.active}, '{"type":"stack"}', ${now}, ${now})`)
      const { priority, active } = one
      world.signatures.push({
        id,
        priority,
        active,
        conditions: [],
        future: false,
        hand: new Set(),
        came: new Set(),
      })
      return
    }
    case 'toggle': {
      const signature = world.signature(one.which)
      if (!signature) return
      await app.db.query(sql`
        update signatures set priority = ${one.priority}, signature_installation_activated = ${one.active}
        where workspace_id = ${app.id} and id = ${signature.id}`)
      signature.priority = one.priority
      signature.active = one.active
      return
    }
    case 'add':
    case 'remove': {
      const signature = world.signature(one.which)
      const email = [...(world.person(one.who)?.emails.keys() ?? [])][0]
      if (!signature || !email) return
      const path = one.do === 'add' ? 'emails' : 'emails/remove'
      await app.post(`/v1/signatures/${signature.id}/${path}`, { email_ids: [email] })
      if (one.do === 'add') signature.hand.add(email)
      else {
        signature.hand.delete(email)
        signature.came.delete(email)
      }
      return
    }
    case 'rules': {
      const signature = world.signature(one.which)
      if (!signature) return
      const ids = { department, title, address }
      const conditions = one.conditions.map(group =>
        group.map(({ field, operator, values }) => ({ smart_field_id: ids[field], operator, values })),
      )
      expect((await put(signature.id, { conditions })).status).toBe(200)
      signature.conditions = one.conditions
      return
    }
    case 'future': {
      const signature = world.signature(one.which)
      if (!signature) return
      await put(signature.id, { assign_to_all_future_emails: one.on })
      signature.future = one.on
      return
    }
    case 'delete signature': {
      const signature = world.signature(one.which)
      if (!signature) return
      await app.db.query(sql`delete from signatures where workspace_id = ${app.id} and id = ${signature.id}`)
      world.signatures.splice(world.signatures.indexOf(signature), 1)
    }
  }
}

async function compare(world: World): Promise<void> {
  for (const signature of world.signatures) {
    const { body } = await app.get(`/v1/signatures/${signature.id}/emails?limit=100`)
    expect(body.data.map((one: { id: string }) => one.id).sort()).toEqual(world.expected(signature))
    expect(body.pagination.total_count).toBe(body.data.length)
  }
  for (const person of world.people.slice(0, 3))
    for (const email of person.emails.keys()) {
      const { body } = await app.get(`/v1/emails/${email}/signature`)
      expect(body.data.signature_id).toBe(world.winner(email))
    }
}

describe('recipients and winners', () => {
  it('are those of a plain computation, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
        const world = new World()
        await take(world, { do: 'signature', priority: 1, active: true })
        await take(world, { do: 'hire', department: 'Sales', title: null })
        for (const one of steps) {
          await take(world, one)
          await compare(world)
        }
        // The next round begins with nobody.
        while (world.people.length > 0) await take(world, { do: 'fire', who: 0 })
        while (world.signatures.length > 0) await take(world, { do: 'delete signature', which: 0 })
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })
})
