// Compares random changes of people, rules and signatures with a simple model that recomputes everything each time.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'
import { createAlias, createTeammate, fieldIds, setValues } from '#test/support/world.ts'
import { type Operator, operators } from './conditions.ts'

let app: TestApp
let department = ''
let title = ''
let address = ''
beforeAll(async () => {
  app = await testApp()
  ;({ department, job_title: title, email: address } = await fieldIds(app))
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
  everybody: boolean
  readonly byHand: Set<string>
  readonly byFuture: Set<string>
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
  | { readonly do: 'future' | 'everybody'; readonly which: number; readonly on: boolean }
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
  fc.record({
    do: fc.constantFrom('future' as const, 'everybody' as const),
    which: n,
    on: fc.boolean(),
  }),
  fc.record({ do: fc.constant('delete signature' as const), which: n }),
)

const normalize = (text: string) => text.trim().toLowerCase()

function conditionHolds(
  { field, operator, values }: Condition,
  person: Person,
  emailAddress: string,
): boolean {
  const actual = normalize(field === 'address' ? emailAddress : (person.values.get(field) ?? ''))
  const any = (test: (value: string) => boolean) => values.map(normalize).some(test)
  switch (operator) {
    case 'is_set':
      return actual.length > 0
    case 'is_not_set':
      return actual.length === 0
    case 'is_none_of':
      return !any(value => value === actual)
    case 'is_any_of':
      return any(value => value === actual)
    case 'contains':
      return any(value => actual.indexOf(value) >= 0)
    case 'starts_with':
      return any(value => actual.slice(0, value.length) === value)
    case 'ends_with':
      return any(
        value => actual.length >= value.length && actual.slice(actual.length - value.length) === value,
      )
  }
}

let stepCount = 0

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
            signature.everybody ||
            signature.byHand.has(id) ||
            signature.byFuture.has(id) ||
            signature.conditions.some(group =>
              group.every(condition => conditionHolds(condition, person, emailAddress)),
            ),
        ),
      )
      .map(([id]) => id)
      .sort()
  }

  winner(email: string): string | null {
    const [winner] = this.signatures
      .filter(signature => signature.active && this.expected(signature).includes(email))
      .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
    return winner?.id ?? null
  }

  newEmail(person: Person, id: string, emailAddress: string) {
    person.emails.set(id, emailAddress)
    for (const signature of this.signatures) if (signature.future) signature.byFuture.add(id)
  }
}

const putRules = (id: string, body: object) =>
  app.call('PUT', `/v1/signatures/${id}/recipient_rules`, { body })

async function applyStep(world: World, step: Step): Promise<void> {
  stepCount += 1
  switch (step.do) {
    case 'hire': {
      const values = { department: step.department, title: step.title }
      const { id, email, emailId } = await createTeammate(app, {
        values: {
          ...(step.department !== null && { [department]: step.department }),
          ...(step.title !== null && { [title]: step.title }),
        },
      })
      const entries = Object.entries(values).flatMap(([key, text]) =>
        text === null ? [] : [[key, text] as const],
      )
      const person: Person = { id, values: new Map(entries), emails: new Map() }
      world.people.push(person)
      return world.newEmail(person, emailId, email)
    }
    case 'value': {
      const person = world.person(step.who)
      if (!person) return
      const fieldId = step.field === 'department' ? department : title
      await setValues(app, person.id, { [fieldId]: step.value })
      if (step.value === null) person.values.delete(step.field)
      else person.values.set(step.field, step.value)
      return
    }
    case 'alias': {
      const person = world.person(step.who)
      if (!person) return
      const address = `alias${stepCount}@other.example`
      return world.newEmail(person, await createAlias(app, person.id, address), address)
    }
    case 'drop alias': {
      const person = world.person(step.who)
      const alias = [...(person?.emails.keys() ?? [])][1]
      if (!alias) return
      await app.del(`/v1/emails/${alias}`)
      person?.emails.delete(alias)
      return
    }
    case 'fire': {
      const person = world.person(step.who)
      if (!person) return
      await app.del(`/v1/teammates/${person.id}`)
      world.people.splice(world.people.indexOf(person), 1)
      return
    }
    case 'signature': {
      const { id, now } = newRow()
      await app.db.query(sql`
        insert into signatures (workspace_id, id, name, priority, signature_installation_activated, content, created_at, updated_at)
        values (${app.id}, ${id}, ${`S${stepCount}`}, ${step.priority}, ${step.active}, '{"type":"stack"}', ${now}, ${now})`)
      const { priority, active } = step
      world.signatures.push({
        id,
        priority,
        active,
        conditions: [],
        future: false,
        everybody: false,
        byHand: new Set(),
        byFuture: new Set(),
      })
      return
    }
    case 'toggle': {
      const signature = world.signature(step.which)
      if (!signature) return
      await app.db.query(sql`
        update signatures set priority = ${step.priority}, signature_installation_activated = ${step.active}
        where workspace_id = ${app.id} and id = ${signature.id}`)
      signature.priority = step.priority
      signature.active = step.active
      return
    }
    case 'add':
    case 'remove': {
      const signature = world.signature(step.which)
      const email = [...(world.person(step.who)?.emails.keys() ?? [])][0]
      if (!signature || !email) return
      const path = step.do === 'add' ? 'emails' : 'emails/remove'
      await app.post(`/v1/signatures/${signature.id}/${path}`, { email_ids: [email] })
      if (step.do === 'add') signature.byHand.add(email)
      else {
        signature.byHand.delete(email)
        signature.byFuture.delete(email)
      }
      return
    }
    case 'rules': {
      const signature = world.signature(step.which)
      if (!signature) return
      const ids = { department, title, address }
      const conditions = step.conditions.map(group =>
        group.map(({ field, operator, values }) => ({ smart_field_id: ids[field], operator, values })),
      )
      expect((await putRules(signature.id, { conditions })).status).toBe(200)
      signature.conditions = step.conditions
      return
    }
    case 'future': {
      const signature = world.signature(step.which)
      if (!signature) return
      await putRules(signature.id, { assign_to_all_future_emails: step.on })
      signature.future = step.on
      return
    }
    case 'everybody': {
      const signature = world.signature(step.which)
      if (!signature) return
      await putRules(signature.id, { everybody: step.on })
      signature.everybody = step.on
      return
    }
    case 'delete signature': {
      const signature = world.signature(step.which)
      if (!signature) return
      await app.db.query(sql`delete from signatures where workspace_id = ${app.id} and id = ${signature.id}`)
      world.signatures.splice(world.signatures.indexOf(signature), 1)
    }
  }
}

async function compare(world: World): Promise<void> {
  for (const signature of world.signatures) {
    const { body } = await app.get(`/v1/signatures/${signature.id}/emails?limit=100`)
    expect(body.data.map((recipient: { id: string }) => recipient.id).sort()).toEqual(
      world.expected(signature),
    )
    expect(body.pagination.total_count).toBe(body.data.length)
    expect(body.selection.matching_emails_count).toBe(body.data.length)
  }
  for (const person of world.people.slice(0, 3))
    for (const email of person.emails.keys()) {
      const { body } = await app.get(`/v1/emails/${email}/signature`)
      expect(body.data.signature_id).toBe(world.winner(email))
    }
}

describe('recipients and winners', () => {
  it('equal those of the model after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
        const world = new World()
        await applyStep(world, { do: 'signature', priority: 1, active: true })
        await applyStep(world, { do: 'hire', department: 'Sales', title: null })
        for (const step of steps) {
          await applyStep(world, step)
          await compare(world)
        }
        // The next round starts without people and signatures.
        while (world.people.length > 0) await applyStep(world, { do: 'fire', who: 0 })
        while (world.signatures.length > 0) await applyStep(world, { do: 'delete signature', which: 0 })
      }),
      { numRuns: runs(20), endOnFailure: true },
    )
  })
})
