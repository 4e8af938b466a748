import { expect, it } from 'vitest'
import { openBrowser } from '#test/support/browser/browser.ts'
import { serveRoutes } from '#test/support/http.ts'
import { migratedFolder, serve, stop } from '#test/support/processes/process.ts'
import { referenceRoutes, workerResult } from './reference.ts'

it('the reference shows every resource in a browser that can reach only this service', {
  tags: ['deep'],
}, async () => {
  const served = await serve({ env: { SIGNOFF_DATA_DIR: await migratedFolder() } })
  const page = await (await openBrowser()).newPage()
  const foreignUrls: string[] = []
  const errors: string[] = []
  await page.route(
    url => !url.href.startsWith(served.url),
    route => {
      foreignUrls.push(route.request().url())
      return route.abort()
    },
  )
  page.on('pageerror', error => void errors.push(error.message))
  page.on('console', message => void (message.type() === 'error' && errors.push(message.text())))
  await page.goto(`${served.url}/docs`)
  // The page draws its sections when they are scrolled into view, and the names of all groups beside them.
  await page.getByRole('heading', { name: 'Workspace' }).first().waitFor({ timeout: 100_000 })
  const countOf = (word: string) => page.getByText(word).count()
  for (const word of ['Signoff', 'Folders', 'Smart fields', 'API keys', 'Audit log'])
    expect(await countOf(word), word).not.toBe(0)
  for (const word of ['Ask AI', 'Generate MCP', 'Deploy']) expect(await countOf(word), word).toBe(0)
  expect(foreignUrls).toEqual([])
  expect(errors).toEqual([])
  expect(await stop(served)).toBe(0)
})

const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`)

it('resultOf throws when a worker ends or fails without a result, and a later call starts a new worker', async () => {
  await expect(workerResult(program('process.exit(3)'))).rejects.toThrow('ended with code 3')
  await expect(workerResult(program(''))).rejects.toThrow('ended with code 0')
  await expect(workerResult(program('throw new Error("broken")'))).rejects.toThrow('broken')
  const succeeding = program(
    'import { parentPort } from "node:worker_threads"; parentPort.postMessage("done")',
  )
  expect(await workerResult(succeeding)).toBe('done')
})

it('an OpenAPI document that could not be built is built by the next request', async () => {
  let calls = 0
  const routes = referenceRoutes(async () => {
    if (++calls === 1) throw new Error('not yet')
    return { openapi: '3.1.0' }
  })
  const address = `http://127.0.0.1:${await serveRoutes(routes)}/v1/openapi.json`
  expect((await fetch(address)).status).toBe(500)
  expect(await (await fetch(address)).json()).toEqual({ openapi: '3.1.0' })
  expect((await fetch(address)).status).toBe(200)
  expect(calls).toBe(2)
})

it('an unknown script is answered while the page is still being loaded', async () => {
  const address = `http://127.0.0.1:${await serveRoutes(referenceRoutes(async () => ({})))}/docs`
  const page = fetch(address)
  const names = ['start.js', 'x.js', 'scalar-0.js', 'scalar.js%0a', '..%2fscalar.js']
  const unknown = Promise.all(names.map(async name => (await fetch(`${address}/js/${name}`)).status))
  expect(await Promise.race([page, unknown])).toEqual(names.map(() => 404))
  const scripts = [...(await (await page).text()).matchAll(/src="\/docs(\/js\/[^"]+)"/g)].map(
    ([, path]) => path,
  )
  expect(scripts).toHaveLength(2)
  for (const path of [...scripts, '/js/scalar.js'])
    expect((await fetch(`${address}${path}`)).status, path).toBe(200)
})
