import { beforeAll, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
it('smoke', async () => {
  const r = await app.call('POST', '/v1/imports', {
    payload: Buffer.from(
      'E-Mail;Vorname;Handy;Foo\nada@example.com;Ada;+49 170;x\nbad;B\nada@example.com;Z;;\n',
    ),
    headers: { 'content-type': 'text/csv' },
  })
  console.log(r.status, JSON.stringify(r.body, null, 1))
  const { id, guessed_mapping: mapping } = r.body.data
  console.log(
    JSON.stringify((await app.post(`/v1/imports/${id}/preview`, { mapping, mode: 'directory' })).body),
  )
  console.log(JSON.stringify((await app.post(`/v1/imports/${id}/apply`, { mapping })).body.data.state))
  await runAllJobs(app)
  console.log(JSON.stringify((await app.get(`/v1/imports/${id}`)).body))
  console.log((await app.get(`/v1/imports/${id}/report`)).text)
  console.log((await app.get(`/v1/imports`)).text)
})
