// A render key stands for an output: with an unchanged key the reconcile job does not render again. So the key must
// change whenever the output changes.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config.ts'
import { sql } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import type { TestApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import type { Receiver } from '#test/support/outside/webhook.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { field, stack, text } from '#test/support/signatures.ts'
import {
  connectedApp,
  createAlias,
  createCampaign,
  createField,
  createPublished,
  createTeammate,
  fieldIds,
  setValues,
} from '#test/support/world.ts'
import { openRenderer } from './render.ts'

const env = { SIGNOFF_PRIVATE_TARGETS: '127.0.0.1', SIGNOFF_PUBLIC_URL: 'https://sign.example.com' }
let app: TestApp
let receiver: Receiver
let office: string
let unused: string
let email: string
let company: string
let picture: string
let portraitField: string
let portraits: readonly [string, string]
let signature: string
let banner: string
const people: { readonly id: string; readonly emailId: string; readonly aliasId: string }[] = []

const content = (words: string) =>
  stack(
    text(words),
    field(office),
    field(email),
    { type: 'image', assetUuid: picture, href: { text: 'https://example.com/a' } },
    { type: 'image', smartFieldUuid: portraitField, width: 64, height: 64, shape: 'circle', alt: '' },
    { type: 'marketing' },
    { type: 'qrCode', content: 'vcard' },
    { type: 'text', tokens: [{ value: 'Contact', href: { vcard: true } }] },
  )

beforeAll(async () => {
  ;({ app, receiver } = await connectedApp({ env }))
  office = await createField(app, 'Office')
  unused = await createField(app, 'Unused')
  ;({ email, company, profile_picture: portraitField } = await fieldIds(app))
  picture = (await upload(app, await solidPicture(40, 20).png().toBuffer())).body.data.id
  const wide = async (colour: string) =>
    (await upload(app, await solidPicture(90, 60, colour).png().toBuffer())).body.data.id
  portraits = [await wide('#336699'), await wide('#996633')]
  for (const name of ['ada', 'bob']) {
    const { id, emailId } = await createTeammate(app, { email: `${name}@example.com` })
    people.push({ id, emailId, aliasId: await createAlias(app, id, `${name}.two@example.com`) })
  }
  const emailIds = people.flatMap(person => [person.emailId, person.aliasId])
  signature = await createPublished(app, { draft_content: content('Hello') }, ...emailIds)
  banner = await createCampaign(app, {
    content: stack(text('Fair')),
    smart_fields_conditions: [[{ smart_field_id: office, values: ['Paris', 'Rome'] }]],
  })
})

type Person = (typeof people)[number]

/** The rendered output and its render key, by email id. */
async function renderAll(config = app.config) {
  const renderer = await openRenderer(app.db, { ...buildParts(config).rendering, workspaceId: app.id })
  const requests = people
    .flatMap(person => [person.emailId, person.aliasId])
    .map(emailId => ({ emailId, signatureId: signature, variant: null }))
  const keys = await renderer.renderKeysOf(requests)
  const rendered = await renderer.render(requests)
  return new Map(
    await Promise.all(
      [...rendered].map(async ([emailId, { html, text, address, primaryAddress, renderKey }]) => {
        expect(await renderKey()).toBe(keys.get(emailId))
        return [
          emailId,
          { key: await renderKey(), output: JSON.stringify([html, text, address, primaryAddress]) },
        ] as const
      }),
    ),
  )
}

let n = 0
/** Every kind of change that users can make, each with a few choices. */
const changes: Readonly<Record<string, (person: Person, choice: number) => Promise<unknown>>> = {
  value: (person, choice) => setValues(app, person.id, { [office]: ['Paris', 'Rome', null][choice] ?? null }),
  portrait: (person, choice) => setValues(app, person.id, { [portraitField]: portraits[choice] ?? null }),
  crop: (person, choice) =>
    app.call('PUT', `/v1/teammates/${person.id}/images/${portraitField}`, {
      body: { image: { asset_id: portraits[0], crop: { x: choice / 4, y: 0, width: 0.5, height: 1 } } },
    }),
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
  emptied: person => setValues(app, person.id, { [office]: null }),
  fallback: (_, choice) =>
    app.patch(`/v1/smart_fields/${office}`, { smart_field: { fallback: ['Here', 'There', null][choice] } }),
  publish: async (_, choice) => {
    const draft_content = content(['Good day', 'Hello', 'Hi'][choice] ?? '')
    await app.patch(`/v1/signatures/${signature}`, { signature: { draft_content } })
    return app.post(`/v1/signatures/${signature}/publish`)
  },
  address: person =>
    app.patch(`/v1/emails/${person.aliasId}`, { email: { address: `new${++n}@example.com` } }),
  primary: async person => {
    const { emails } = (await app.get(`/v1/teammates/${person.id}`)).body.data
    const other = emails.find((candidate: { primary: boolean }) => !candidate.primary)
    return app.patch(`/v1/emails/${other.id}`, { email: { primary: true } })
  },
  tracking: (_, choice) =>
    app.db.query(sql`update workspaces set tracking_enabled = ${choice > 0} where id = ${app.id}`),
  'contact card': (person, choice) => setValues(app, person.id, { [company]: `Company ${choice}` }),
  'fallback in the contact card': (_, choice) =>
    app.patch(`/v1/smart_fields/${company}`, { smart_field: { fallback: `Company ${choice + 3}` } }),
  unused: (person, choice) => setValues(app, person.id, { [unused]: `${choice}` }),
}

async function isOutputChangedBy(name: string, index: number, choice: number): Promise<boolean> {
  const before = await renderAll()
  await changes[name]?.(people[index] as Person, choice)
  const pairs = [...(await renderAll())].map(([emailId, now]) => ({ now, old: before.get(emailId) }))
  for (const { now, old } of pairs) if (now.key === old?.key) expect(now.output).toBe(old.output)
  return pairs.some(({ now, old }) => now.output !== old?.output)
}

describe('a render key', () => {
  it.each(Object.keys(changes))('changes when the output changes: %s', async name => {
    if (name === 'pause') await changes.audience?.(people[0] as Person, 1)
    expect(await isOutputChangedBy(name, 0, 0)).toBe(name !== 'unused')
  })

  it('changes whenever the output changes, after any earlier changes', async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(1), fc.nat(2))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        for (const [name, index, choice] of steps) await isOutputChangedBy(name, index, choice)
      }),
      { numRuns: 10 },
    )
  })

  it.each([true, false])(
    'stays while nothing changes, and changes with the secret key or the public URL (tracking: %s)',
    async isTracking => {
      await app.db.query(sql`update workspaces set tracking_enabled = ${isTracking} where id = ${app.id}`)
      const renderKeys = async (more: Record<string, string> = {}) => {
        const config = readConfig({ ...env, SIGNOFF_DATA_DIR: app.config.dataDir, ...more })
        return [...(await renderAll(config)).values()].map(rendered => rendered.key)
      }
      const now = await renderKeys()
      expect(await renderKeys()).toEqual(now)
      for (const more of [
        { SIGNOFF_SECRET_KEYS: randomBytes(32).toString('base64') },
        { SIGNOFF_PUBLIC_URL: 'https://other.example.com' },
      ])
        for (const [index, key] of (await renderKeys(more)).entries()) expect(key).not.toBe(now[index])
    },
  )

  it('spares mailboxes: when inputs change but the output does not, only the new key is stored', async () => {
    await app.post(`/v1/signatures/${signature}/publish`)
    await runAllJobs(app)
    receiver.writes.clear()
    const mailboxRows = () =>
      app.db.query<{ email_id: string; written_origin: string | null }>(
        sql`select email_id, written_origin from mailboxes where workspace_id = ${app.id} order by email_id`,
      )
    const before = await mailboxRows()
    expect(before).toHaveLength(4)
    const [ada] = people as [Person]
    await setValues(app, ada.id, { [unused]: `words ${++n}` })
    await runAllJobs(app)
    expect(receiver.writes.size).toBe(0)
    const after = await mailboxRows()
    const changedEmailIds = [ada.emailId, ada.aliasId]
    const now = await renderAll()
    for (const [index, { email_id, written_origin }] of after.entries()) {
      expect(written_origin).toBe(now.get(email_id)?.key)
      expect(written_origin === before[index]?.written_origin).toBe(!changedEmailIds.includes(email_id))
    }
  })
})
