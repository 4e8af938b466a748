import { expect, it } from 'vitest'
import type { Db } from '#kernel/db/db.ts'
import { createPublicFetch } from '#platform/public-fetch.ts'
import { startReceiver } from '#test/support/outside/webhook.ts'
import { webhookKind } from './kind.ts'

it('the test of a webhook asks its address, and takes any answer as one', async () => {
  const { url, refused } = await startReceiver(() => 'whsec_x')
  const { port } = new URL(url)
  const addresses = new Map([
    ['own.example', '127.0.0.1'],
    ['private.example', '10.0.0.1'],
  ])
  const fetchPublic = createPublicFetch({
    privateTargets: ['127.0.0.1'],
    resolve: async name => [addresses.get(name) ?? ''],
  })
  const kind = webhookKind({ addressProblem: () => undefined, fetchPublic })
  const test = async (address: string) => {
    const integration = {
      workspaceId: 'w',
      id: 'i',
      kind: 'webhook',
      capabilities: ['channel'] as const,
      settings: { url: address },
      secret: null,
    }
    const [step] = await kind.test(integration, {} as Db)
    return [step?.ok, step?.message]
  }
  expect(await test(`http://own.example:${port}/`)).toEqual([true, 'The address can be reached.'])
  expect(refused).toEqual(['GET '])
  expect(await test(`http://private.example:${port}/`)).toEqual([
    false,
    'The address names a host that was not found on the public internet.',
  ])
  expect(await test('http://own.example:1/')).toEqual([false, 'The address cannot be reached.'])
})
