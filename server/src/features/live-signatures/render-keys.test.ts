// An origin stands for a drawing: whoever finds the same one does not draw. So it must change whenever the drawing does.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config.ts'
import { sql } from '#kernel/db.ts'
import { buildParts } from '#parts.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { workAll } from '#test/support/jobs.ts'
import { plain, upload } from '#test/support/pictures.ts'
import { createField, createSignature, field, stack, text } from '#test/support/signatures.ts'
import { connectReceiver, type Receiver, startReceiver, webhookSecret } from '#test/support/webhook.ts'
import { openRenderer } from './render.ts'

const env = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1', SIGNOFF_PUBLIC_URL: 'https://sign.example.com' }
const campaigns = '/v1/marketing_campaigns'
let app: TestApp
let receiver: Receiver
let office: string
let unused: string
let email: string
let picture: string
let signature: string
let banner: string
const people: { readonly id: string; readonly emailId: string; readonly aliasId: string }[] = []

const content = (words: string) =>
  stack(
    text(words),
    field(office),
    field(email),
    { type: 'image', assetUuid: picture, href: { text: 'https://example.com/a' } },
    { type: 'marketing' },
  )

beforeAll(async () => {
  app = await testApp({ env })
  receiver = await startReceiver(() => webhookSecret)
  await connectReceiver(app, receiver)
  office = await createField(app, 'Office')
  unused = await createField(app, 'Unused')
  const fields = (await app.get('/v1/smart_fields?limit=100')).body.data
  email = fields.find((one: { key: string }) => one.key === 'email').id
  picture = (await upload(app, await plain(40, 20).png().toBuffer())).body.data.id
  signature = (await createSignature(app, { draft_content: content('Hello') })).body.data.id
  for (const name of ['ada', 'bob']) {
    const made = await app.post('/v1/teammates', { teammate: { email: `${name}@example.com` } })
    const id: string = made.body.data.id
    const alias = await app.post('/v1/emails', {
      email: { teammate_id: id, address: `${name}.two@example.com` },
    })
    people.push({ id, emailId: made.body.data.emails[0].id, aliasId: alias.body.data.id })
  }
  const email_ids = people.flatMap(one => [one.emailId, one.aliasId])
  await app.post(`/v1/signatures/${signature}/emails`, { email_ids })
  await app.post(`/v1/signatures/${signature}/publish`)
  const made = await app.post(campaigns, {
    marketing_campaign: {
      name: 'Fair',
      content: stack(text('Fair')),
      smart_fields_conditions: [[{ smart_field_id: office, values: ['Paris', 'Rome'] }]],
    },
  })
  banner = made.headers.location ?? ''
})

type Someone = (typeof people)[number]
const value = (someone: Someone, smart_field_id: string, value: string | null) =>
  app.patch(`/v1/teammates/${someone.id}`, { teammate: { smart_fields: [{ smart_field_id, value }] } })

/** By address: what is drawn, and from what. */
async function drawings(config = app.config) {
  const drawing = await openRenderer(app.db, { ...buildParts(config).rendering, workspaceId: app.id })
  const wanted = people
    .flatMap(one => [one.emailId, one.aliasId])
    .map(emailId => ({ emailId, signatureId: signature, variant: null }))
  const origins = await drawing.renderKeysOf(wanted)
  const drawn = await drawing.render(wanted)
  return new Map(
    await Promise.all(
      [...drawn].map(async ([emailId, { html, text, address, primaryAddress, renderKey: origin }]) => {
        expect(await origin()).toBe(origins.get(emailId))
        return [
          emailId,
          { origin: await origin(), shown: JSON.stringify([html, text, address, primaryAddress]) },
        ] as const
      }),
    ),
  )
}

let n = 0
/** Everything that users can change, each in a few ways. */
const changes: Readonly<Record<string, (someone: Someone, choice: number) => Promise<unknown>>> = {
  value: (one, choice) => value(one, office, ['Paris', 'Rome', null][choice] ?? null),
  schedule: () => app.post(`${banner}/schedule`),
  banner: (_, choice) =>
    app.patch(banner, {
      marketing_campaign: { content: stack(text(['Feast', 'Fair', 'Fête'][choice] ?? '')) },
    }),
  audience: (_, choice) => {
    const values = [['Oslo'], ['Paris'], ['Rome', 'Paris']][choice]
    return app.patch(banner, {
      marketing_campaign: { smart_fields_conditions: [[{ smart_field_id: office, values }]] },
    })
  },
  pause: () => app.post(`${banner}/pause`),
  emptied: one => value(one, office, null),
  fallback: (_, choice) =>
    app.patch(`/v1/smart_fields/${office}`, { smart_field: { fallback: ['Here', 'There', null][choice] } }),
  publish: async (_, choice) => {
    const draft_content = content(['Good day', 'Hello', 'Hi'][choice] ?? '')
    await app.patch(`/v1/signatures/${signature}`, { signature: { draft_content } })
    return app.post(`/v1/signatures/${signature}/publish`)
  },
  address: one => app.patch(`/v1/emails/${one.aliasId}`, { email: { address: `new${++n}@example.com` } }),
  primary: async one => {
    const { emails } = (await app.get(`/v1/teammates/${one.id}`)).body.data
    const other = emails.find((candidate: { primary: boolean }) => !candidate.primary)
    return app.patch(`/v1/emails/${other.id}`, { email: { primary: true } })
  },
  tracking: (_, choice) =>
    app.db.query(sql`update workspaces set tracking_enabled = ${choice > 0} where id = ${app.id}`),
  unused: (one, choice) => value(one, unused, `${choice}`),
}

async function changedBy(name: string, index: number, choice: number): Promise<boolean> {
  const before = await drawings()
  await changes[name]?.(people[index] as Someone, choice)
  const pairs = [...(await drawings())].map(([emailId, now]) => ({ now, old: before.get(emailId) }))
  for (const { now, old } of pairs) if (now.origin === old?.origin) expect(now.shown).toBe(old.shown)
  return pairs.some(({ now, old }) => now.shown !== old?.shown)
}

describe('an origin', () => {
  it.each(Object.keys(changes))('is another one where the drawing is: %s', async name => {
    if (name === 'pause') await changes.audience?.(people[0] as Someone, 1)
    expect(await changedBy(name, 0, 0)).toBe(name !== 'unused')
  })

  it('is another one whenever the drawing is, whatever has changed before', async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(1), fc.nat(2))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        for (const [name, index, choice] of steps) await changedBy(name, index, choice)
      }),
      { numRuns: 10 },
    )
  })

  it('stays while nothing changes, and is another one with another key or address of the service', async () => {
    await app.db.query(sql`update workspaces set tracking_enabled = true where id = ${app.id}`)
    const origins = async (more: Record<string, string> = {}) => {
      const config = readConfig({ ...env, SIGNOFF_DATA_DIR: app.config.dataDir, ...more })
      return [...(await drawings(config)).values()].map(one => one.origin)
    }
    const now = await origins()
    expect(await origins()).toEqual(now)
    for (const more of [
      { SIGNOFF_SECRET_KEYS: randomBytes(32).toString('base64') },
      { SIGNOFF_PUBLIC_URL: 'https://other.example.com' },
    ])
      for (const [at, origin] of (await origins(more)).entries()) expect(origin).not.toBe(now[at])
  })

  it('spares mailboxes: what is drawn alike from something else is noted, and not written', async () => {
    await app.post(`/v1/signatures/${signature}/publish`)
    await workAll(app)
    receiver.writes.clear()
    const noted = () =>
      app.db.query<{ email_id: string; written_origin: string | null }>(
        sql`select email_id, written_origin from mailboxes where workspace_id = ${app.id} order by email_id`,
      )
    const before = await noted()
    expect(before).toHaveLength(4)
    const [ada] = people as [Someone]
    await value(ada, unused, `words ${++n}`)
    await workAll(app)
    expect(receiver.writes.size).toBe(0)
    const after = await noted()
    const theirs = [ada.emailId, ada.aliasId]
    const now = await drawings()
    for (const [at, { email_id, written_origin }] of after.entries()) {
      expect(written_origin).toBe(now.get(email_id)?.origin)
      expect(written_origin === before[at]?.written_origin).toBe(!theirs.includes(email_id))
    }
  })
})
