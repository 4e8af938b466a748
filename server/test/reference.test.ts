import { expect, it } from 'vitest'
import { openBrowser } from './support/browser.ts'
import { freshFolder, serve, stop } from './support/process.ts'

it('the reference shows every resource in a browser that reaches nothing but the service', async () => {
  const served = await serve({ env: { SIGNOFF_DATA_DIR: await freshFolder() } })
  const page = await (await openBrowser()).newPage()
  const elsewhere: string[] = []
  const faults: string[] = []
  await page.route(
    url => !url.href.startsWith(served.url),
    route => {
      elsewhere.push(route.request().url())
      return route.abort()
    },
  )
  page.on('pageerror', error => void faults.push(error.message))
  page.on('console', message => void (message.type() === 'error' && faults.push(message.text())))
  await page.goto(`${served.url}/docs`)
  await page.getByRole('heading', { name: 'teammates' }).first().waitFor({ timeout: 20_000 })
  const times = (word: string) => page.getByText(word).count()
  for (const word of ['Signoff', 'folders', 'smart_fields', 'api_keys', 'audit_log'])
    expect(await times(word)).not.toBe(0)
  for (const word of ['Ask AI', 'Generate MCP', 'Deploy']) expect(await times(word), word).toBe(0)
  expect(elsewhere).toEqual([])
  expect(faults).toEqual([])
  expect(await stop(served)).toBe(0)
})
