import { beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { changeClickParameter, changeEventRetention, changeSwitch } from './index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

it('the workspace has a plan, a seat count and a tracking id', async () => {
  const { status, body } = await app.get('/v1/workspace')
  expect(status).toBe(200)
  expect(body.data).toEqual({
    id: app.id,
    name: 'Own',
    plan: {
      tier: 'self_hosted',
      kind: 'self_hosted',
      status: 'active',
      billing_interval: null,
      cancel_at_period_end: false,
      started_at: body.data.created_at,
      ends_at: null,
    },
    seat_count: 0,
    event_tracking: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enabled: true,
      click_parameter: 'signoff_click_id',
    },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.data.created_at,
  })
})

it('a switch changes together with the hook, or not at all', async () => {
  const isEnabled = async () => (await app.get('/v1/workspace')).body.data.event_tracking.enabled
  const failing = { onSwitchChange: () => Promise.reject(new Error('no')) }
  await expect(changeSwitch(app.db, app.by, 'tracking', false, failing)).rejects.toThrow('no')
  expect(await isEnabled()).toBe(true)
  await changeSwitch(app.db, app.by, 'tracking', false, app.parts.workspaces)
  expect(await isEnabled()).toBe(false)
})

it.each([0, -1, 1.5, 100_000])('events cannot be kept for %d days', async days => {
  await expect(changeEventRetention(app.db, app.by, days)).rejects.toMatchObject({ code: 'out_of_range' })
})

it.each(['', 'a b', '1st', 'a=b', 'a&b', 'ü', 'x'.repeat(65)])(
  '%j cannot be a click parameter',
  async name => {
    await expect(changeClickParameter(app.db, app.by, name)).rejects.toMatchObject({ code: 'invalid' })
  },
)
