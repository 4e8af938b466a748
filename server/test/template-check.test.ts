// Every template through the check before publishing, with several brands.
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from './support/app.ts'
import { solidPicture, upload } from './support/pictures.ts'
import { createSignature } from './support/signatures.ts'
import { assign, createTeammate, fieldIds } from './support/world.ts'

let app: TestApp
let emailIds: string[]
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.northbean.example' } })
  const { first_name, last_name } = await fieldIds(app)
  const ada = await createTeammate(app, { values: { [first_name]: 'Ada', [last_name]: 'Moreno' } })
  emailIds = [(await createTeammate(app)).emailId, ada.emailId]
})

describe('the check of every template', () => {
  it.each([
    [{}],
    [{ primary: '#ffd400', text: '#7a1f4b', link: '#00ffff' }],
    [{ primary: '#000000', text: '#000', muted: '#eee' }],
  ])('names nothing but missing values with the colours %j', async colors => {
    const logo = await upload(app, await solidPicture(800, 240).png().toBuffer())
    const changed = await app.patch('/v1/workspace/brand', {
      colors: { primary: null, text: null, muted: null, link: null, ...colors },
      logo_asset_id: logo.body.data.id,
      website: 'northbean.example',
      address: '12 Harbour Street',
      legal: 'Northbean Coffee GmbH',
      social: Array.from({ length: 8 }, () => ({ name: 'x-twitter', href: 'https://x.com/northbean' })),
    })
    expect(changed.status).toBe(200)
    const problems: unknown[] = []
    for (const { id } of (await app.get('/v1/templates?limit=100')).body.data) {
      const { body } = await createSignature(app, { template_id: id })
      await assign(app, body.data.id, ...emailIds)
      const check = await app.get(`/v1/signatures/${body.data.id}/check`)
      for (const { code, message } of check.body.data.problems)
        if (code !== 'missing_values') problems.push([id, code, message])
    }
    expect(problems).toEqual([])
  })
})
