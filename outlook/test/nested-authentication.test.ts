// The launch script with nested app authentication, in classic Outlook.
import { beforeAll, expect, it } from 'vitest'
import { bundledScript } from '../build/bundle.ts'
import { ClassicOutlook, type ClassicSetup } from './support/classic.ts'
import { annasAnswer } from './support/signatures.ts'

let script = ''
beforeAll(async () => {
  script = await bundledScript('launch-naa.js')
})

const settings = {
  base: 'https://sign.example/outlook/token',
  auth: 'naa',
  clientId: '11111111-1111-4111-8111-111111111111',
  tenantId: '22222222-2222-4222-8222-222222222222',
  scope: 'api://sign.example/11111111-1111-4111-8111-111111111111/signature.read',
} as const

const outlook = (setup: Partial<ClassicSetup> = {}) =>
  new ClassicOutlook(script, { mood: annasAnswer, settings, ...setup })

it('asks without a token where Outlook cannot give one: the service decides', async () => {
  const it = outlook()
  await it.compose()
  expect(it.bearers).toEqual([undefined])
  expect(it.mail.body).toContain('anna-new')
})

it('reports that there was no token where the service refuses', async () => {
  const it = outlook({ mood: 401 })
  await it.compose()
  expect([it.mail.signatures, it.troubles[0]?.code]).toEqual([[], 'no_token'])
})
